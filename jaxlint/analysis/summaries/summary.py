"""Function summaries: a call with arguments of known kinds is interpreted once, and replayed after that.

A summary holds the result and the key uses of one interpretation. Identities in it are renamed to those of the new
arguments; what was made inside gets new ones. Mutable arguments are told apart by their very cells, so a summary
never hides a change to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.state import cell_values
from jaxlint.analysis.domain.values import (
    Array,
    BoundMethod,
    FunctionValue,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Object,
    Origin,
    Partial,
    Static,
    Transformed,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jaxlint.analysis.machine.dependencies import Recording
from jaxlint.analysis.machine.levels import mask_of
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.summaries.signatures import Contents, Identified, Signature
from jaxlint.analysis.typestate import timing
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Interpretations of one function, and how many of one place: the calls of one expression by one caller, told apart by
#: the flags, functions and classes that they hand over. Beyond the first, only those that one place may take go on, so
#: that a counter that grows from call to call, or an object made in many ways, leaves something to other callers.
#: Functions that change what they are given are interpreted at each call: they may take what their work allows.
MAX_CONTEXTS = 7
MAX_CONTEXTS_OF_PLACE = 2
#: The statements that the interpretations behind the first may come to, their calls' included; beyond, a place may take
#: one, up to the second limit, and all other calls are unknown. The first one also pays for what its calls come to
#: wherever they are made, so that what stood before it in the project would matter.
MAX_WORK = 105
MAX_WORK_OF_PLACES = 800


@dataclass(slots=True)
class Summary:
    """What one interpretation of a call came to.

    `given` is what its arguments are told apart by. `origin` is the evidence of the trace around the call. `made` is
    the object that it sets up, and `cells` holds what became of that, too.
    """

    function: ir.Function
    given: Sequence[Identified]
    made: int | None
    recording: Recording
    origin: Origin | None
    result: Value | None = None
    clock: timing.Effect | None = None
    cells: dict[int, Any] = field(default_factory=dict)
    is_of_one_call: bool = False  # what uses the result asks what this very call was given, or made

    def finish(self, it: Interpreter, result: Value) -> None:
        """Take the result, with the heap cells that only it can reach."""
        self.result = result
        self.clock = timing.effect(it)
        self.recording.drop({part.oid: part.cell for part in self.given if isinstance(part, Contents)})
        reached: dict[int, Any] = {}
        code: list[FunctionValue] = []
        _collect(it, result, reached, code)
        if self.made is not None:
            _collect(it, Object(self.made), reached, code)
        self.cells = {oid: cell for oid, cell in reached.items() if oid >= self.start or oid == self.made}
        is_masked = mask_of(getattr(result, "origin", None)) is not None  # by the formulas of this call
        self.is_of_one_call = is_masked or any(_remembers(function.closure, self.start) for function in code)

    @property
    def start(self) -> int:
        """The serial number of its frame: what was made inside is younger."""
        return self.recording.start

    @property
    def changes_given(self) -> bool:
        """Whether the call changed objects that were there before, other than the one that it sets up."""
        return self.recording.has_effect or not self.recording.changed <= {self.made}

    @property
    def serves_others(self) -> bool:
        """Whether it says what another call would do."""
        return self.result is not None and not self.is_of_one_call and not self.changes_given


@dataclass(slots=True)
class Summaries(Table):
    """All summaries of a run. `of_leaves`: of one that has interpreted the library, and goes on with leaves.

    The library may have used up the contexts of a function without a trace. So that leaves can still show what happens
    in one, their traced calls count as calls at other places.
    """

    of_leaves: bool = False
    known: dict[Any, Summary] = field(default_factory=dict)
    contexts: Counter[int] = field(default_factory=Counter)  # by function, as are the statements interpreted
    places: Counter[Any] = field(default_factory=Counter)  # by function and place of the call
    work: Counter[int] = field(default_factory=Counter)
    admitted: set[int] = field(default_factory=set)  # functions beyond the limits, by the evaluation that made them
    changing: set[int] = field(default_factory=set)  # functions that change what they are given: no call serves another

    def find(self, signature: Signature) -> Summary | None:
        """The last summary of an equal call."""
        return self.known.get(signature.key)

    def admits(self, it: Interpreter, function: FunctionValue, given: Collection[Value], at: int) -> bool:
        """Whether the function may be interpreted in one more context, for a call in this frame.

        One that stands in a function that is looked at on its own always may, once: nobody else sees its inside.
        """
        key = id(function.function)
        is_apart = self.of_leaves and it.frame.trace is not None
        place = (key, it.frame.path, at, _call_around(it), is_apart, *_kinds(it, given))
        self.contexts[key] += 1
        self.places[place] += 1
        known, work = self.places[place], self.work[key]
        is_among_first = self.contexts[key] <= MAX_CONTEXTS
        if work <= MAX_WORK and (is_among_first or known <= MAX_CONTEXTS_OF_PLACE or key in self.changing):
            return True
        if (is_among_first and known <= MAX_CONTEXTS_OF_PLACE) or (known == 1 and work <= MAX_WORK_OF_PLACES):
            return True
        if function.made in self.admitted or not _stands_in_open(function):
            return False
        self.admitted.add(function.made)
        return True

    def record(self, it: Interpreter, frame: Frame, signature: Signature, interpret: Callable[[], Value]) -> Value:
        """The result of one interpretation, that of a call in this frame, of which the summary is kept."""
        origin = None if it.frame.trace is None else it.frame.trace.origin
        assert frame.function is not None
        summary = Summary(frame.function, signature.given, signature.made, Recording(frame.serial), origin)
        it.recordings.append(summary.recording)
        before = it.steps
        try:
            result = interpret()
            summary.finish(it, result)
        finally:
            it.recordings.pop()
            if self.contexts[id(frame.function)] > 1:
                self.work[id(frame.function)] += it.steps - before
        if summary.serves_others:
            self.known[signature.key] = summary
        elif summary.changes_given:
            self.changing.add(id(frame.function))
        return result


def _call_around(it: Interpreter) -> int:
    """Where a frame that hands on whatever it was given is called: a wrapper stands for the call around it."""
    function = it.frame.function
    hands_on = function is not None and any(p.kind is ir.ParameterKind.VAR_POSITIONAL for p in function.parameters)
    return it.frame.call_at if hands_on else -1


def _kinds(it: Interpreter, given: Collection[Value]) -> Iterator[Any]:
    """What a call is told to do: flags, functions, and the classes of objects and of what these hold."""
    for value in given:
        function = underlying(value)
        if function is not None:
            yield id(function.function)
        if isinstance(value, Static) and value.known and isinstance(value.value, bool | str | None):
            yield value.value
        cell = it.cell(value) if isinstance(value, Object) else None
        if isinstance(cell, InstanceCell):
            held = (it.cell(part) for part in cell.attributes.values() if isinstance(part, Object))
            yield from (id(each.cls) for each in (cell, *held) if isinstance(each, InstanceCell))


def _collect(it: Interpreter, value: Value, cells: dict[int, Any], code: list[FunctionValue]) -> None:
    """The heap cells and the functions that a value reaches."""
    if isinstance(value, FunctionValue):
        code.append(value)
    elif isinstance(value, Object):
        cell = it.held(value.oid)  # no call rests on what it left
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


def _stands_in_open(function: FunctionValue) -> bool:
    """Whether a function is nested in an invocation of which no call is known."""
    frame: Frame | None = function.closure
    while frame is not None:
        if frame.is_open:
            return True
        frame = frame.closure
    return False


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
