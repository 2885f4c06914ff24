"""The runs of one process as a tree, and for each the reason why it was needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from jaxlint.verify.model import CACHED, EAGER, Difference, Site
from jaxlint.verify.observe.jit_expressions import Jitted, jitted_at
from jaxlint.verify.observe.reasons import Key, differences, distance
from jaxlint.verify.observe.record_reader import ProcessLog, Record

#: Path, first line (decorators included) and qualified name.
FunctionKey: TypeAlias = "tuple[str, int, str]"
#: How many earlier keys a new one is compared with: the nearest is nearly always a recent one.
_COMPARED: Final = 16
#: Transforms that hand every argument but the declared static ones to the function as a tracer.
_TRACING: Final = frozenset({"jit", "pmap"})
#: Transforms that compile a program of their own only where nothing at all is around them.
_STRUCTURED: Final = CACHED - {"jit", "pmap", "filter_jit", "filter_pmap"}


@dataclass(slots=True, eq=False)
class Entry:
    """One function object as one transform was given it. `direct`: a run of it is a run of the function itself.

    `around` tells what else runs it, and `is_placed` that it stands for the line where the user compiled it.
    """

    function: FunctionKey
    owner: str
    direct: bool
    transform: str
    object: int
    statics: tuple[Any, ...]
    made: Site | None = None
    around: tuple[Any, ...] = ()
    is_placed: bool = False
    runs: list[Run] = field(default_factory=list)
    wraps: int = 0
    times_made: int = 1

    def wrapped(self, *, same: bool) -> None:
        """It was handed to the transform again: as the same object, or as a method bound anew, a new partial."""
        self.wraps += not same
        self.times_made += 1


@dataclass(slots=True, eq=False)
class Run:
    """One execution of a function's body by a transform; `seconds` None where it never ended."""

    entry: Entry
    up: Run | None
    key: Key
    call: Site | None
    at: float
    wraps: int
    generation: int
    calls: int | None = None
    tested: bool = False
    seconds: float | None = None
    error: list[Any] | None = None
    children: list[Run] = field(default_factory=list)
    lowered: bool = False
    compiled: bool = False
    seen_itself: bool = False
    lower_seconds: float = 0.0
    compile_seconds: float = 0.0
    difference: tuple[Difference, tuple[Difference, ...]] = (Difference("first"), ())

    @property
    def top(self) -> Run:
        """The outermost run that is there for this one alone and is cached: it has the key, and what is compiled."""
        around = list(self._around())
        return next((run for run in reversed(around) if run.entry.transform in CACHED), around[-1])

    def _around(self) -> Iterator[Run]:
        """The run itself, and outwards those that are there for it alone."""
        run = self
        yield run
        while run.up is not None and run.up.is_only_around(self.entry.function):
            run = run.up
            yield run

    @property
    def is_enclosed(self) -> bool:
        """Whether it is part of what another function compiles: eager transforms compile nothing of their own."""
        *_, outermost = self._around()
        if self.entry.transform in _STRUCTURED:
            return outermost.up is not None
        run = outermost.up
        while run is not None:
            if run.entry.transform not in EAGER:
                return True
            run = run.up
        return False

    def is_only_around(self, function: FunctionKey) -> bool:
        """Whether this is a library's code, or a wrapper, on the way to `function`."""
        return self.entry.owner == "library" or (self.entry.function == function and not self.entry.direct)

    @property
    def is_execution(self) -> bool:
        """Whether the function itself ran: a wrapper's run counts only where the function cannot be seen itself."""
        if self.entry.owner == "library":
            return not any(run.entry.owner == "user" for run in self.descendants())
        return self.entry.direct or not self.seen_itself

    def descendants(self) -> Iterator[Run]:
        """All runs inside this one."""
        for child in self.children:
            yield child
            yield from child.descendants()


@dataclass(slots=True, eq=False)
class History:
    """What one process traced. A forked process goes on with what its parent knew."""

    log: ProcessLog
    parent: History | None = None
    entries: dict[int, Entry] = field(default_factory=dict)
    runs: dict[int, Run] = field(default_factory=dict)
    order: list[Run] = field(default_factory=list)
    outlines: dict[tuple[int, str, Any], dict[str, str]] = field(default_factory=dict)
    objects: dict[tuple[int, str, Any], Any] = field(default_factory=dict)
    context: dict[str, str] = field(default_factory=dict)
    generation: int = 0
    direct: set[FunctionKey] = field(default_factory=set)
    by_function: defaultdict[tuple[FunctionKey, str], list[Entry]] = field(default_factory=lambda: defaultdict(list))
    _last_signature: dict[int, Record] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.entries = dict(self.parent.entries)
            self.direct = set(self.parent.direct)
            self.outlines = dict(self.parent.outlines)
            self.objects = dict(self.parent.objects)
            self._last_signature = dict(self.parent._last_signature)
            for key, entries in self.parent.by_function.items():
                self.by_function[key] = list(entries)

    def take(self, record: Record) -> None:
        """Learn from one record, in the order in which they were written."""
        match record["e"]:
            case "function":
                self._define(record)
            case "context":
                self.context = record["values"]
            case "wrap":
                self.entries[record["f"]].wrapped(same="same" in record)
            case "cleared":
                self.generation += 1
            case "begin":
                self._begin(record)
            case "end" if record["r"] in self.runs:
                run = self.runs[record["r"]]
                run.seconds, run.error = record["s"], record.get("error")

    @property
    def open_runs(self) -> list[Run]:
        """Runs that began and never ended."""
        return [run for run in self.order if run.seconds is None]

    def _define(self, record: Record) -> None:
        jitted = Jitted(record["line"], record["name"])
        if "span" in record:
            jitted = jitted_at(record["path"], record["line"], record["span"], record["name"])
        entry = Entry(
            (record["path"], jitted.line, jitted.name),
            record["owner"],
            record["direct"],
            record["kind"],
            record["object"],
            tuple(record["statics"]),
            Site(*record["made"]) if record.get("made") else None,
            tuple(record.get("around", ())),
            "span" in record,
        )
        self.entries[record["f"]] = entry
        self.by_function[entry.function, entry.transform].append(entry)
        if entry.direct:
            self.direct.add(entry.function)

    def _begin(self, record: Record) -> None:
        entry = self.entries[record["f"]]
        up = self.runs.get(record.get("up", 0))
        call = Site(*record["call"]) if record["call"] else None
        run = Run(entry, up, self._key(record), call, record["t"], entry.wraps, self.generation, record.get("n"))
        run.difference = self._reason(run)
        run.tested = record.get("tested", False)
        run.seen_itself = entry.function in self.direct
        entry.runs.append(run)
        self.runs[record["r"]] = run
        self.order.append(run)
        if up is not None:
            up.children.append(run)

    def _key(self, record: Record) -> Key:
        number = record["f"]
        seen = record["sig"] if "sig" in record else self._last_signature[number]
        self._last_signature[number] = seen
        trees = {}
        for name, (tree, *outline) in seen["trees"].items():
            trees[name] = tree
            if outline:
                self.outlines[number, name, tree] = outline[0]
                self.objects[number, name, tree] = outline[1] if len(outline) > 1 else None
        outlines = {(name, tree): self.outlines.get((number, name, tree), {}) for name, tree in trees.items()}
        objects = {name: self.objects.get((number, name, tree)) for name, tree in trees.items()}
        leaves = {leaf[0]: leaf for leaf in seen["leaves"]}
        return Key(leaves, trees, tuple(seen["keywords"]), self.context, outlines, objects)

    def _reason(self, run: Run) -> tuple[Difference, tuple[Difference, ...]]:
        """Why the run was needed, by what is weightiest, and what else is different from the nearest earlier one."""
        entry = run.entry
        if entry.runs:
            nearest, found = _nearest(run, entry.runs)
            if not found:
                return self._repeated(run, nearest), ()
            is_another = found[0].reason == "new-function-object"
            return _next_object(entry) if is_another else found[0], tuple(found[1:])
        same = self.by_function[entry.function, entry.transform]
        others = [other for other in same if other.runs and other.around == entry.around]
        if not others:
            return Difference("first"), ()
        return self._another_object(run, others)

    def _repeated(self, run: Run, nearest: Run) -> Difference:
        """Nothing of the key is different from that of an earlier run."""
        if run.entry.transform not in CACHED:
            return Difference("not-cached")
        if self.generation != nearest.generation:
            return Difference("cache-cleared")
        if run.entry.wraps > min(nearest.wraps, _objects(run.entry)):
            return _next_object(run.entry)
        return Difference("enclosing" if run.is_enclosed else "unexplained")

    def _another_object(self, run: Run, others: list[Entry]) -> tuple[Difference, tuple[Difference, ...]]:
        """The first run of an object whose function was traced before, in another object or with other options."""
        if run.entry.transform not in CACHED:
            return Difference("not-cached"), ()
        if run.is_enclosed:
            return Difference("enclosing"), ()
        _, found = _nearest(run, [other.runs[-1] for other in others])
        if any(other.object == run.entry.object for other in others) and found:
            return found[0], tuple(found[1:])
        count = len({other.object for other in others})
        return Difference("new-function-object", None, f"object {count}", f"object {count + 1}"), tuple(found)


def _nearest(run: Run, earlier: list[Run]) -> tuple[Run, list[Difference]]:
    """The earlier run whose key differs least, the latest of equals, and how it differs."""
    candidates = [(other, _differences(other, run)) for other in reversed(earlier[-_COMPARED:])]
    return min(candidates, key=lambda candidate: distance(candidate[1]))


def _differences(before: Run, now: Run) -> list[Difference]:
    """What is different; what a method or a partial holds is no argument to JAX: with another, it is another object."""
    found = differences(before.key, now.key)
    if now.entry.transform in _TRACING and any(_is_held(difference, now.key) for difference in found):
        return [Difference("new-function-object"), *found]
    return found


def _is_held(difference: Difference, key: Key) -> bool:
    """Whether a value came with the function: it is no tracer, and not declared to be static."""
    leaf = key.leaves.get(difference.argument or "")
    return leaf is not None and leaf[1] != "traced" and key.trees.get(leaf[0]) != "static"


def _objects(entry: Entry) -> int:
    """How many function objects the runs of an entry were of, as far as that can be told."""
    return sum(run.difference[0].reason in ("first", "new-function-object") for run in entry.runs)


def _next_object(entry: Entry) -> Difference:
    count = max(1, _objects(entry))
    return Difference("new-function-object", None, f"object {count}", f"object {count + 1}")
