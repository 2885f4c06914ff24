"""Function summaries: a call with arguments of known kinds is interpreted once, and replayed after that.

A summary holds the result and the key uses of one interpretation. Identities in it are renamed to those of the new
arguments; what was made inside gets new ones. Mutable arguments are told apart by their very cells, so a summary
never hides a change to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from jaxlint.analysis import next_keys, timed_regions
from jaxlint.analysis.recording import Recording
from jaxlint.analysis.state import cell_values
from jaxlint.analysis.values import (
    Array,
    BoundMethod,
    Cell,
    DictCell,
    FunctionValue,
    Ident,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Made,
    Object,
    Origin,
    Partial,
    Qualified,
    Static,
    Transformed,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.frames import Frame, Trace
    from jaxlint.analysis.interpreter import Interpreter

#: What the arguments of a call are told apart by.
Identified: TypeAlias = "Array | Leaves | Key | Unknown | InstanceCell"

#: Interpretations of one function, and the statements that more of them may come to, its calls' included; beyond both
#: its calls are unknown. Short functions may be called in many ways, long ones in some.
MAX_CONTEXTS = 6
MAX_WORK = 400


@dataclass(slots=True)
class Summary:
    """What one interpretation of a call came to.

    `given` is what its arguments are told apart by, `keywords` the dictionary of those by name and its cell.
    `origin` is the evidence of the trace around the call.
    """

    function: ir.Function
    given: tuple[Identified, ...]
    keywords: tuple[Object, Cell] | None
    recording: Recording
    origin: Origin | None
    result: Value | None = None
    clock: timed_regions.Effect | None = None
    cells: dict[int, Any] = field(default_factory=dict)
    is_of_one_call: bool = False  # a function in the result uses what this very call was given, or made

    def finish(self, it: Interpreter, result: Value) -> None:
        """Take the result, with the heap cells that only it can reach."""
        self.result = result
        self.clock = timed_regions.effect(it)
        compared = [cell for cell in self.given if isinstance(cell, InstanceCell)]
        self.recording.drop(compared if self.keywords is None else [*compared, self.keywords[1]])
        reached: dict[int, Any] = {}
        code: list[FunctionValue] = []
        _collect(it, result, reached, code)
        self.cells = {oid: cell for oid, cell in reached.items() if oid >= self.start}
        self.is_of_one_call = any(_remembers(function.closure, self.start) for function in code)

    @property
    def start(self) -> int:
        """The serial number of its frame: what was made inside is younger."""
        return self.recording.start

    @property
    def serves_others(self) -> bool:
        """Whether it says what another call would do."""
        return self.result is not None and not self.is_of_one_call and not self.recording.has_effect


@dataclass(slots=True)
class Summaries:
    """All summaries of a run, and those being recorded."""

    known: dict[Any, Summary] = field(default_factory=dict)
    contexts: Counter[int] = field(default_factory=Counter)  # by function, as are the statements interpreted
    work: Counter[int] = field(default_factory=Counter)
    recordings: list[Recording] = field(default_factory=list)  # of the calls at hand, the outermost first
    kept: list[Any] = field(default_factory=list)

    def find(self, key: Any) -> Summary | None:
        """The last summary of an equal call."""
        return self.known.get(key)

    def admits(self, function: FunctionValue) -> bool:
        """Whether the function may be interpreted in one more context."""
        key = id(function.function)
        self.contexts[key] += 1
        return self.contexts[key] <= MAX_CONTEXTS or self.work[key] <= MAX_WORK

    @contextmanager
    def record(self, it: Interpreter, frame: Frame, key: Any) -> Iterator[Summary]:
        """Record the key uses of one interpretation, that of a call in this frame."""
        origin = None if it.frame.trace is None else it.frame.trace.origin
        assert frame.function is not None
        env = frame.state.env
        given = tuple(told_apart_by(it, frame.function, env))
        summary = Summary(
            frame.function, given, named_arguments(it, frame.function, env), Recording(frame.serial), origin
        )
        self.recordings.append(summary.recording)
        steps = it.steps
        try:
            yield summary
        finally:
            self.recordings.pop()
            self.work[id(frame.function)] += it.steps - steps
        if summary.serves_others:
            self.known[key] = summary


def signature(it: Interpreter, function: FunctionValue, env: dict[str, Value], trace: Trace | None) -> Any:
    """What calls must share for one summary to serve both."""
    if function.cls is not None and _changes_objects(it, function):
        return ("changes objects", it.fresh())  # what it does depends on more than its arguments
    numbering: dict[Ident, int] = {}
    named = named_arguments(it, function.function, env)
    parts = tuple(
        _keyword_part(it, named[1], numbering) if named and value is named[0] else _part(it, value, numbering)
        for value in env.values()
    )
    frame = it.frame
    traced = None if trace is None else (trace.transform, trace.level, trace.ambient, trace.is_hypothetical)
    around = frame.trace
    outer = None if around is None else (around.level, around.runs_once, around.draws, around.is_hypothetical)
    it.summaries.kept.append(function.function)
    timed = frame.state.clock is not None  # what happens before a clock is read is not noted
    return (id(function.function), function.closure.serial, frame.ambient, traced, outer, timed, frame.caveats, parts)


def _changes_objects(it: Interpreter, function: FunctionValue) -> bool:
    """Whether a method assigns attributes of whatever object; kept per function."""
    key = ("changes objects", id(function.function))
    if key not in it.caches:
        it.caches[key] = bool(next_keys.stored_attributes(function.function.body))
    return bool(it.caches[key])


def _part(it: Interpreter, value: Value, numbering: dict[Ident, int]) -> Any:
    """A hashable form of a value: kinds and constants in full, identities by order of appearance."""
    match value:
        case Static():
            constant = value.value if value.known and isinstance(value.value, str | int | float | bool | None) else "?"
            return ("static", value.type, constant, value.ident if value.ident in it.readings else None)
        case Array():
            known = (value.dtype, value.shape, value.weak, value.assumed, value.readonly)
            return ("array", value.level, known, _number(value.ident, numbering))
        case Leaves():
            return ("leaves", value.level, value.assumed, _number(value.ident, numbering))
        case Key():
            return ("key", value.level, value.shape, value.typed, _number(value.ident, numbering))
        case Made():
            return ("made", value.cls, value.level, value.options, _number(value.ident, numbering))
        case Unknown():
            return ("unknown", _number(value.ident, numbering))
        case Tuple():
            return ("tuple", value.names, tuple(_part(it, e, numbering) for e in value.elements))
        case Iterable():
            return ("iterable", value.kind, _part(it, value.element, numbering))
        case Union():
            return ("union", tuple(_part(it, a, numbering) for a in value.atoms))
        case Qualified():
            return ("name", value.name)
        case BoundMethod():
            return ("method", *(_part(it, part, numbering) for part in _parts(value)))
        case Partial():
            return ("partial", tuple(value.keywords), *(_part(it, part, numbering) for part in _parts(value)))
        case Object():
            return _object_part(it, value, numbering)
        case FunctionValue():  # the same code that sees the same names; when it was made does not matter here
            it.summaries.kept.append(value)
            return ("function", id(value.function), id(value.closure), value.binding, *map(id, value.defaults.values()))
        case _:
            it.summaries.kept.append(value)
            return ("value", id(value))


def _object_part(it: Interpreter, value: Object, numbering: dict[Ident, int]) -> Any:
    cell = it.cell(value)
    if isinstance(cell, InstanceCell) and not cell.attributes:
        return ("instance", id(cell.cls), cell.level, cell.arrays, _number(cell.ident, numbering))
    it.summaries.kept.append(cell)
    return ("object", value.oid, id(cell))


def named_arguments(it: Interpreter, function: ir.Function, env: dict[str, Value]) -> tuple[Object, Cell] | None:
    """The dictionary that a call made for its arguments by name: nobody else has it, so its contents tell all."""
    last = function.parameters[-1] if function.parameters else None
    value = env[last.name] if last is not None and last.kind is ir.ParameterKind.VAR_KEYWORD else None
    cell = it.cell(value) if isinstance(value, Object) else None
    return None if cell is None or not isinstance(value, Object) else (value, cell)


def _keyword_part(it: Interpreter, cell: Cell, numbering: dict[Ident, int]) -> Any:
    names = tuple(cell.items) if isinstance(cell, DictCell) else ()
    return ("keywords", names, tuple(_part(it, value, numbering) for value in cell_values(cell)))


def _number(ident: Ident, numbering: dict[Ident, int]) -> int:
    if ident is None:
        return -1
    return numbering.setdefault(ident, len(numbering))


def told_apart_by(it: Interpreter, function: ir.Function, env: dict[str, Value]) -> Iterator[Identified]:
    """What has an identity in the arguments of a call, in the order of their numbers in its signature."""
    named = named_arguments(it, function, env)
    for value in env.values():
        for part in cell_values(named[1]) if named and value is named[0] else (value,):
            yield from _identified(it, part)


def _identified(it: Interpreter, value: Value) -> Iterator[Identified]:
    """What has an identity in a value, in the order in which `_part` numbers them, once for every appearance."""
    match value:
        case Array() | Leaves() | Key() | Unknown():
            yield value
        case Object():
            cell = it.cell(value)
            if isinstance(cell, InstanceCell) and not cell.attributes:
                yield cell
        case Transformed():
            pass  # compared as one
        case _:
            for part in _parts(value):
                yield from _identified(it, part)


def _collect(it: Interpreter, value: Value, cells: dict[int, Any], code: list[FunctionValue]) -> None:
    """The heap cells and the functions that a value reaches."""
    if isinstance(value, FunctionValue):
        code.append(value)
    elif isinstance(value, Object):
        cell = it.cell(value)
        if cell is None or value.oid in cells:
            return
        cells[value.oid] = cell
        for part in cell_values(cell):
            _collect(it, part, cells, code)
    else:
        for part in _parts(value):
            _collect(it, part, cells, code)


def _parts(value: Value) -> Iterator[Value]:
    """The values that an immutable one is made of."""
    match value:
        case Tuple():
            yield from value.elements
        case Iterable():
            yield value.element
        case Union():
            yield from value.atoms
        case BoundMethod():
            yield value.function
            yield value.receiver
        case Partial():
            yield value.function
            yield from value.args
            yield from value.keywords.values()
        case Transformed():
            yield value.application.target
        case _:
            pass


def _remembers(closure: Frame, start: int) -> bool:
    """Whether a frame that a function closes over belongs to a call, and holds what the next call has others of."""
    frame: Frame | None = closure
    while frame is not None and frame.serial >= start:
        if any(_is_told_apart(value) for value in frame.state.env.values()):
            return True
        frame = frame.closure
    return False


def _is_told_apart(value: Value) -> bool:
    return isinstance(value, Array | Leaves | Key | Unknown | Object) or any(map(_is_told_apart, _parts(value)))
