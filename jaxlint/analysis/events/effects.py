"""Events of effects in traced code: library calls, stores, iterators and caches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import Arguments, Array, Iterable, Leaves, Level, atoms_of
from jaxlint.analysis.events.event import Event, Operand
from jaxlint.diagnostics import Confidence
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.values import Birth


@dataclass(frozen=True, slots=True, eq=False)
class LibraryCall(Event):
    """Traced code calls a library function that has an effect outside the program, such as `print` or `open`.

    `name` is its canonical name and `effect` its kind in the table of effects. `texts` are the traced values that the
    arguments convert to text; `unformattable` is one that is formatted as a number, which raises. `makes_missing` says
    that it runs only where a file was not there, `is_among_facts` that the function also prints shapes and the like.
    """

    happens_once: ClassVar[bool] = True

    name: str
    effect: str
    arguments: Arguments
    call: ir.Call
    texts: tuple[Operand, ...]
    unformattable: Operand | None
    makes_missing: bool
    is_among_facts: bool = False

    @property
    def how_often(self) -> str:
        """How often Python runs traced code: where nothing is compiled, in each call, but for all elements at once."""
        is_compiled = self.trace is None or self.trace.ambient is Level.TRACED
        return "once per compilation" if is_compiled else "once for the whole batch"

    @property
    def shows_shards(self) -> bool:
        """Whether each operation runs at once, under `shard_map` alone: what is shown is the value of every shard."""
        return self.trace is not None and self.trace.transform.endswith(".shard_map") and self.trace.parent is None

    def traced_parts(self) -> tuple[Operand, ...]:
        """The traced values among the arguments, and those turned to text inside them: the surest first."""
        pairs = [*zip(self.arguments.positional, self.arguments.positional_at)]
        pairs += [(value, self.arguments.keyword_at.get(key, -1)) for key, value in self.arguments.keywords.items()]
        direct = [Operand(value, self.frame, at) for value, at in pairs if at >= 0]
        traced = (operand for operand in (*direct, *self.texts) if operand.traced)
        return tuple(sorted(traced, key=lambda operand: operand.confidence_as_text.rank))


@dataclass(frozen=True, slots=True, eq=False)
class NameStore(Event):
    """Code assigns a global, a nonlocal name, or an attribute of a module. `owner` is the frame of the name."""

    happens_once: ClassVar[bool] = True

    name: str
    kind: str  # "global", "nonlocal", "module attribute"
    value: Operand
    owner: Frame | None
    is_cache: bool  # behind a test that the name is not set yet
    is_measure: bool  # only assertions read the name: a test counts how often it is traced

    @property
    def is_constant(self) -> bool:
        """Whether the name gets the same each time."""
        return _stores_constant(self)

    @property
    def is_outside(self) -> bool:
        """Whether the name belongs to code outside the trace."""
        return self.trace is not None and (self.owner is None or self.owner.serial < self.trace.entry)

    @property
    def is_lost(self) -> bool:
        """Whether the store happens at trace time only."""
        return self.trace is not None and any(trace.is_compiled for trace in self.trace.crossed(self._made))

    @property
    def is_leak(self) -> bool:
        """Whether the name keeps a value that is dead after its trace."""
        return self.leaks(self.value, self._made)

    @property
    def _made(self) -> int:
        return 0 if self.owner is None else self.owner.serial


#: Methods that find nothing left to do the second time.
_IDEMPOTENT = frozenset({"clear", "discard", "setdefault"})
#: The assignments to a name that is set up and then changed in one place.
_FIRST_AND_THIS = 2


def _stores_constant(store: NameStore | AttributeStore) -> bool:
    """Whether a constant is stored, where nothing in this file but what was there first would be another one."""
    code = list(walks.statements(store.frame.module.source.module.body))
    values = (node.value for node in code if isinstance(node, ir.Assign))
    if not any(isinstance(value, ir.Constant) and value.at == store.value.at for value in values):
        return False
    targets = (part for node in code for target in walks.assignment_targets(node) for part in _parts(target))
    return len({part.at for part in targets if walks.spelling(part).lstrip(".") == store.name}) <= _FIRST_AND_THIS


def _parts(target: ir.Expr) -> tuple[ir.Expr, ...]:
    return target.elements if isinstance(target, ir.SequenceDisplay) else (target,)


def _made(birth: Birth | None) -> int:
    """The serial number at which an object was made: before all traces where that is unknown."""
    return 0 if birth is None else birth.frame


@dataclass(frozen=True, slots=True, eq=False)
class AttributeStore(Event):
    """`receiver.name = value`. `birth` states where the object was created; None if that is unknown."""

    happens_once: ClassVar[bool] = True

    receiver: Operand
    name: str
    value: Operand
    birth: Birth | None
    role: str  # "self", "argument", "captured", "local" or "unknown"
    is_cache: bool  # behind a test that looks at the attribute, or made of its old value where it has one
    read_later: bool  # the function goes on using the object
    is_missed: bool  # so does the caller, who would see the change if it were not lost
    is_idle: bool  # nothing reads the attribute

    @property
    def is_constant(self) -> bool:
        """Whether the attribute gets the same each time."""
        return _stores_constant(self)

    @property
    def is_of_copy(self) -> bool:
        """Whether the object is one that JAX made for the trace."""
        return self.birth is not None and self.trace is not None and self.birth.frame == self.trace.entry

    @property
    def is_by_method(self) -> bool:
        """Whether a method that the traced function calls changes its object."""
        return self.frame.cls is not None and self.trace is not None and self.frame.serial != self.trace.entry

    @property
    def certainty(self) -> Confidence:
        """*Certain* for an object that the analysis knows; at most *likely* for a part of an object from outside."""
        if self.is_idle and not self.is_leak:
            return Confidence.POSSIBLE
        if self.birth is not None:
            return Confidence.CERTAIN
        in_module = self.frame.cls is not None and self.frame.cls.kind == "module"
        known = self.role in ("self", "captured") and self.name != "value" and not in_module
        return Confidence.LIKELY if known else Confidence.POSSIBLE

    @property
    def is_lost(self) -> bool:
        """Whether the store happens at trace time only."""
        return self.trace is not None and any(trace.is_compiled for trace in self.trace.crossed(_made(self.birth)))

    @property
    def is_leak(self) -> bool:
        """Whether the attribute keeps a value that is dead after its trace."""
        return self.leaks(self.value, _made(self.birth))


@dataclass(frozen=True, slots=True, eq=False)
class Mutation(Event):
    """A method or a store changes a container. `role` is as in AttributeStore."""

    happens_once: ClassVar[bool] = True

    receiver: Operand
    how: str
    value: Operand | None
    birth: Birth | None
    role: str
    read_later: bool
    is_missed: bool  # as in AttributeStore
    is_cache: bool  # behind a test that the item is not there yet, or found again by its number
    is_measure: bool  # as in NameStore

    @property
    def is_constant(self) -> bool:
        """Whether the container is the same after one change as after many of these."""
        return self.how in _IDEMPOTENT

    @property
    def certainty(self) -> Confidence:
        """*Certain* for a container that the analysis knows; less for one of which only the name is known."""
        known = self.birth is not None or any(
            isinstance(a, Array | Iterable | Leaves) for a in atoms_of(self.receiver.value)
        )
        return Confidence.CERTAIN if known else Confidence.POSSIBLE

    @property
    def is_lost(self) -> bool:
        """Whether the change happens less often than it seems to."""
        return self.trace is not None and self.trace.runs_less_often(_made(self.birth))

    @property
    def is_of_each_call(self) -> bool:
        """Whether each call makes the change, though once for all elements: under `vmap` alone."""
        traces = () if self.trace is None else self.trace.crossed(_made(self.birth))
        return not any(trace.is_compiled for trace in traces)

    @property
    def is_leak(self) -> bool:
        """Whether the container keeps a value that is dead after its trace."""
        return self.leaks(self.value, _made(self.birth))


@dataclass(frozen=True, slots=True, eq=False)
class OuterRead(Event):
    """Traced code reads a name of an enclosing scope or module, and other code assigns the name again."""

    name: str
    value: Operand
    owner: Frame
    reassigned_at: Place | None
    is_seen: bool = True  # that it gets another value, not only that it could
    static_parameter: str = ""  # the one that holds the object of which this is an attribute


@dataclass(frozen=True, slots=True, eq=False)
class IteratorUse(Event):
    """Traced code consumes an iterator or generator, or passes it to a structured loop."""

    happens_once: ClassVar[bool] = True

    iterator: Operand
    how: str
    birth: Birth | None


@dataclass(frozen=True, slots=True, eq=False)
class CachedFunction(Event):
    """A function behind `functools.cache` is called with these arguments."""

    function: str
    operands: tuple[Operand, ...]
    returns_traced: bool
    made_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class ImpureCallback(Event):
    """A function is declared pure, but is not. JAX may run it any number of times, or never.

    `kind` is "effect" (`detail` is a clause about it, `effect_at` its place), "no result" (JAX never runs it) or "no
    shape" (`detail` is the parameter that is missing; the first operand stands for the result).
    """

    callback: Operand
    kind: str
    detail: str
    effect_at: Place | None
