"""The flow-sensitive part of the abstract state: names, heap cells, key uses, timed work; forked, and joined after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from jaxlint.analysis.domain.idents import Constant, Ident
from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.orderings import Order, Range
from jaxlint.analysis.domain.start_up import NOT_STARTED, StartUp
from jaxlint.analysis.domain.timeline import Timeline, join_timelines
from jaxlint.analysis.domain.values import CONTAINERS, Cell, DictCell, InstanceCell, ListCell, SetCell, Value


class Condition(NamedTuple):
    """A test on the path to here, and how it came out. `test` is equal for tests of the same values only.

    `constant` is set for equality tests against a literal: two different ones exclude each other. `names` are those of
    the test as written, attributes with a dot before them. `divides` is the ordinal of a test that comes out otherwise
    in another process, -1 for all others. `holds` is what a comparison found: the range that a number is in, or the
    order of two values.
    """

    test: Any
    outcome: bool
    constant: Any = None
    traced: bool = False
    names: frozenset[str] = frozenset()
    divides: int = -1
    holds: Range | Order | None = None


class Step(NamedTuple):
    """One call on the way down: the invocation it happened in, and where."""

    frame: int
    path: str
    at: int


#: The detail of a pass of a key to a call that gets nothing else.
ALONE = "alone"
#: The detail of a key that is used up by whatever an object runs that nobody sees: it may be code that draws nothing.
UNSEEN = "unseen"
#: The detail of a draw by weights that are given: it takes its numbers from the key, which it would split without them.
WEIGHTED = "weighted"


class KeyUse(NamedTuple):
    """What was done with a key: `action` is consume, split, fold or pass (to a callee we cannot see).

    `detail`: what is folded in, into how many keys is split, which array is shuffled, for which stream of a framework
    (`Derived`), whether it is passed `ALONE`, or to what is `UNSEEN`, or the draw is `WEIGHTED`.
    `once`: it stands behind a test that what is made of it is not there yet.
    `unread`: what a split gives, by its name, and nothing reads.
    """

    action: str
    function: str
    detail: Any
    chain: tuple[Step, ...]
    conditions: tuple[Condition, ...]
    iteration: tuple[int, ...]
    once: bool = False
    unread: str = ""

    def may_split_like(self, other: KeyUse) -> bool:
        """Whether two splits may be into equally many keys."""
        return (
            not (isinstance(self.detail, Constant) and isinstance(other.detail, Constant))
            or self.detail == other.detail
        )


class Donation(NamedTuple):
    """A call of `function` gave a buffer away; `path` and `asked_at` tell where the function was made to donate."""

    chain: tuple[Step, ...]
    conditions: tuple[Condition, ...]
    iteration: tuple[int, ...]
    function: str
    path: str
    asked_at: int
    sure: bool
    doubtful: bool = False  # the results that are known have no room for it, or for less than was given away


_Use = TypeVar("_Use")


#: Entries that a state may have written to before a fork makes its heap the one that later heaps are compared with.
MAX_WRITTEN = 64


@dataclass(slots=True)
class State:
    """One abstract state. `env` belongs to one frame; all else is shared down the calls.

    The heap is written to through `write` alone: a fork has the same dictionary until one of the two writes. `_base` is
    an older heap, or None where the heap itself is; it differs at most at the entries `_written`, so that two heaps of
    one base are joined without a look at the others.
    """

    env: dict[str, Value]
    heap: Mapping[Any, Any]
    keys: dict[Ident, tuple[KeyUse, ...]]
    clock: Timeline | None = None  # from the first reading of a clock on
    donated: dict[Ident, tuple[Donation, ...]] = field(default_factory=dict)
    started: StartUp = NOT_STARTED  # what of JAX has started for sure
    _owned: dict[Any, Any] | None = None  # the heap, where no other state may see a change of it
    _base: Mapping[Any, Any] | None = None
    _written: dict[Any, None] = field(default_factory=dict)  # in order; shared as the heap is

    def write(self, key: Any, entry: Any) -> None:
        """Change an entry of the heap in this state."""
        if self._owned is None:
            self._written = {} if self._base is None else self._written.copy()
            self._base = self.heap if self._base is None else self._base
            self.heap = self._owned = dict(self.heap)
        self._owned[key] = entry
        if self._base is not None:
            self._written[key] = None

    def fork(self) -> State:
        """A copy for one branch; cells and values are immutable, so the copy is shallow."""
        self._owned = None
        if len(self._written) > MAX_WRITTEN:
            self._base, self._written = None, {}
        env, keys, donated = self.env.copy(), self.keys.copy(), self.donated.copy()
        return State(env, self.heap, keys, self.clock, donated, self.started, None, self._base, self._written)

    def of_open(self) -> State:
        """The state for code of which no call is known, which runs after what led here: nothing was done to keys."""
        return State(self.env.copy(), self.heap, {}, started=self.started.of_open())

    def of_call(self, env: dict[str, Value]) -> State:
        """The state in a frame that is entered from here: names of its own, and all else shared."""
        shared = (self.heap, self.keys, self.clock, self.donated, self.started, self._owned, self._base, self._written)
        return State(env, *shared)

    def take_over(self, inner: State) -> None:
        """What a call that has ended did to all but the names."""
        self.heap, self._owned, self._base, self._written = inner.heap, inner._owned, inner._base, inner._written
        self.keys, self.clock, self.donated, self.started = inner.keys, inner.clock, inner.donated, inner.started

    def joined(self, other: State) -> State:
        """The state after this path or the other."""
        clock = join_timelines(self.clock, other.clock)
        donated = join_uses(self.donated, other.donated) if self.donated or other.donated else {}
        env, keys = _join_env(self.env, other.env), join_uses(self.keys, other.keys)
        started = self.started.joined(other.started)
        if self.heap is other.heap:
            return State(env, self.heap, keys, clock, donated, started, None, self._base, self._written)
        mine, others = self._since(), other._since()
        if mine.base is others.base:
            written = mine.written | others.written
            heap = _join_heaps(self.heap, other.heap, written)
            return State(env, heap, keys, clock, donated, started, heap, mine.base, written)
        heap = _join_heaps(self.heap, other.heap, other.heap)
        return State(env, heap, keys, clock, donated, started, heap)

    def _since(self) -> _Since:
        return _Since(self.heap, {}) if self._base is None else _Since(self._base, self._written)


class _Since(NamedTuple):
    """A heap, and the entries at which a younger one may differ."""

    base: Mapping[Any, Any]
    written: dict[Any, None]


def join_states(a: State | None, b: State | None) -> State | None:
    """The state after either of two paths; None stands for a path that does not arrive."""
    if a is None or a is b:
        return b
    return a if b is None else a.joined(b)


def _join_env(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    """A name bound on one path only keeps its value: reading it elsewhere is Python's error, not ours."""
    joined = a.copy()
    for name, value in b.items():
        mine = joined.get(name)
        if mine is None:
            joined[name] = value
        elif mine is not value:
            joined[name] = join(mine, value)
    return joined


def _join_heaps(a: Mapping[Any, Any], b: Mapping[Any, Any], places: Iterable[Any]) -> dict[Any, Any]:
    """The entries of both heaps, which differ at the given places at most."""
    joined = dict(a)
    for place in places:
        mine, other = a.get(place), b.get(place)
        if mine is not other and other is not None:
            joined[place] = other if mine is None else _join_entry(mine, other)
    return joined


def _join_entry(a: Any, b: Any) -> Any:
    """Heap entries are cells, attribute values of unknown objects, or version counters."""
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    if isinstance(a, _CELLS) or isinstance(b, _CELLS):
        return join_cells(a, b)
    return join(a, b)


_CELLS = (*CONTAINERS, InstanceCell)


def cell_values(cell: Any) -> Iterator[Value]:
    """What a heap cell holds; of a list also what stands for any of its elements."""
    match cell:
        case ListCell():
            yield from cell.elements or ()
            yield cell.element
        case DictCell():
            yield from cell.items.values()
            if cell.rest is not None:
                yield cell.rest
        case SetCell():
            yield cell.element
        case InstanceCell():
            yield from cell.attributes.values()
        case _:
            pass


def join_cells(a: Cell, b: Cell) -> Cell:
    """One cell for an object that two paths changed differently."""
    if isinstance(a, ListCell) and isinstance(b, ListCell):
        return _join_lists(a, b)
    if isinstance(a, DictCell) and isinstance(b, DictCell):
        rest = a.rest if b.rest is None else b.rest if a.rest is None else join(a.rest, b.rest)
        return DictCell(a.birth, _join_items(a.items, b.items), rest)
    if isinstance(a, SetCell) and isinstance(b, SetCell):
        return SetCell(a.birth, join(a.element, b.element))
    if isinstance(a, InstanceCell) and isinstance(b, InstanceCell):
        arrays = a.arrays if a.arrays == b.arrays else None
        return replace(a, attributes=_join_items(a.attributes, b.attributes), open=a.open or b.open, arrays=arrays)
    return a


def _join_lists(a: ListCell, b: ListCell) -> ListCell:
    element = join(a.element, b.element)
    if a.elements is not None and b.elements is not None and len(a.elements) == len(b.elements):
        return ListCell(a.birth, tuple(map(join, a.elements, b.elements)), element)
    return ListCell(a.birth, None, element)


def _join_items(a: Mapping[Any, Value], b: Mapping[Any, Value]) -> dict[Any, Value]:
    joined = dict(a)
    for key, value in b.items():
        joined[key] = value if key not in joined else join(joined[key], value)
    return joined


def join_uses(a: dict[Ident, tuple[_Use, ...]], b: dict[Ident, tuple[_Use, ...]]) -> dict[Ident, tuple[_Use, ...]]:
    """The uses on either of two paths."""
    joined = a.copy()
    for ident, uses in b.items():
        mine = joined.get(ident)
        if mine is None:
            joined[ident] = uses
        elif mine is not uses:
            joined[ident] = (*mine, *(use for use in uses if use not in mine))
    return joined
