"""What the analysis knows at one place: the project is interpreted once more, and what is met there is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.application import short_name, underlying
from jaxlint.analysis.domain.values import Level, Qualified, Value
from jaxlint.analysis.events.compilation import JitBinding
from jaxlint.analysis.events.event import Event
from jaxlint.analysis.machine.ended_paths import EndedPaths
from jaxlint.analysis.machine.interpreter import Interpreter
from jaxlint.analysis.project import driver
from jaxlint.analysis.project.bound_names import bound_names
from jaxlint.analysis.project.describe import Describer
from jaxlint.analysis.project.found import Findings, Listener, sinks
from jaxlint.analysis.project.semantics import SEMANTICS
from jaxlint.diagnostics import Note
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import AnalysisOptions, Finding, Project
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.syntax.source import SourceFile

#: Expressions shown of one invocation, invocations shown, and values shown of one expression in one invocation.
MAX_EXPRESSIONS = 12
MAX_INVOCATIONS = 4
MAX_VALUES = 3

#: How a function is reached of which no call is known.
_UNCALLED = "without a known caller"

#: What transforms do to a function, by the level of their traces.
_HOW = {Level.GRAD: "differentiated", Level.MAPPED: "mapped"}


class Explanation(NamedTuple):
    """What is known of the values at a place, and what the rules found in the whole project."""

    notes: Sequence[Note]
    findings: Sequence[Finding]


def explain_place(
    project: Project,
    path: str,
    line: int,
    column: int | None,
    options: AnalysisOptions,
    rules: Sequence[Listener] = (),
) -> Explanation:
    """What the analysis knows of the expressions at a place of a file of the project, by invocation.

    `line` and `column` count from 1. Without a column, the expressions that begin on the line are meant; with one,
    those that stand around it. The outermost comes first. All files of the project are interpreted, as in a check.
    """
    source = project.files[path]
    wanted = frozenset(_ordinals_at(source, line, column))
    findings = Findings()
    observer = _Observer(project, options, source, wanted, is_terse=column is None)
    observer.listen(sinks(rules, findings.here))
    failures = driver.interpret_all(observer, project, findings)
    return Explanation(_notes(observer, failures.get(path)), findings.whole.findings())


def _notes(observer: _Observer, failure: str | None) -> list[Note]:
    notes = list(observer.notes())
    if not notes:
        unreached = "nothing is known here: the analysis does not reach this code"
        notes.append(_ended_before(observer) or Note(unreached if observer.wanted else "there is no code here"))
    if failure is not None:
        notes.append(Note(f"the rest of the file was not analysed: {failure}"))
    return notes


def _ended_before(observer: _Observer) -> Note | None:
    """What raises before the wanted code is reached, in the same function or in the same module's own code."""
    body: ir.Block = observer.source.module.body
    functions = [node for node in walks.nodes(body) if isinstance(node, ir.Function)]
    wanted = next(iter(observer.wanted), -1)
    for function in functions:  # outermost first
        if wanted in set(walks.ordinals(function.body)):
            body = function.body
    inside = set(walks.ordinals(body))
    places = observer.tables[EndedPaths].by_place
    before = [at for path, at in places if path == observer.path and at in inside and at < wanted]
    if not before:
        return None
    at = max(before)
    what, text = places[observer.path, at], observer.source.segment(at)
    message = f"this code is not reached: the code before always raises; `{text}` is {what}"
    return Note(message, observer.path, observer.source.span(at))


def _ordinals_at(source: SourceFile, line: int, column: int | None) -> list[int]:
    """The nodes that are meant by a place."""
    spans = [(at, source.span(at)) for at in source.ordinals]
    if column is not None:
        return [at for at, s in spans if (s.line, s.column) <= (line, column) < (s.end_line, s.end_column)]
    beginning = [at for at, s in spans if s.line == line]
    return beginning or [at for at, s in spans if s.line <= line <= s.end_line]


@dataclass(slots=True)
class _Met:
    """An expression in one invocation: its text and, in order, the sentences about its values."""

    text: str
    sentences: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        shown = self.sentences[:MAX_VALUES]
        return "; then ".join(shown) + ("; and so on" if len(self.sentences) > MAX_VALUES else "")


@dataclass(slots=True)
class _Invocation:
    """What was met in one frame, by ordinal; and where and how the frame came to be."""

    where: str
    way: str
    met: dict[int, _Met] = field(default_factory=dict)

    def meet(self, at: int, text: str, sentence: str) -> None:
        known = self.met.setdefault(at, _Met(text)).sentences
        if sentence not in known:
            known.append(sentence)


@dataclass(slots=True)
class _Function:
    """A function that begins at the place: the ways in which it was entered, and its static parameters, in order."""

    function: ir.Function
    ways: dict[str, None] = field(default_factory=dict)
    statics: dict[str, None] = field(default_factory=dict)

    def sentence(self) -> str:
        name = "this lambda" if self.function.is_lambda else f"function `{self.function.qualname}`"
        names = ", ".join(f"`{static}`" for static in self.statics)
        return f"{name}: {'; '.join([*self.ways, *([f'static: {names}'] if names else [])])}"


class _Observer(Interpreter):
    """Interprets as always, and writes down what it meets at the wanted ordinals of one file.

    `is_terse` leaves out what can be read off the code: literals, and modules of which something is named.
    """

    def __init__(
        self, project: Project, options: AnalysisOptions, source: SourceFile, wanted: frozenset[int], *, is_terse: bool
    ) -> None:
        # Every event has its listener, since what nobody listens for is not always worked out.
        sinks: dict[type, list[Any]] = {kind: [] for kind in Event.__subclasses__()}
        sinks[JitBinding] = [self._on_jit]
        super().__init__(project, options.api, SEMANTICS, sinks, options)
        self.source, self.path, self.wanted = source, source.path, wanted
        self.is_terse = is_terse
        self.invocations: dict[tuple[int, int], _Invocation] = {}  # by the number of the fork, and the frame's own
        self.functions: dict[int, _Function] = {}
        self.entered_frames: set[tuple[int, int]] = set()
        self._number, self._forks = 0, count(1)
        self._statements = {kind: self._watched(run) for kind, run in self._statements.items()}

    def fork(self) -> _Observer:
        """An observer that goes on from here, and writes down what it meets beside what this one does."""
        forked = super().fork()
        forked._number = next(self._forks)
        return forked

    def listen(self, sinks: Mapping[type, list[Any]]) -> None:
        """Hand events to these, too."""
        self.sinks = {kind: [*self.sinks.get(kind, ()), *sinks.get(kind, ())] for kind in {*self.sinks, *sinks}}

    # --- where things are met

    def eval(self, node: ir.Expr) -> Value:
        """The value of an expression, as always; it is written down where the expression is wanted."""
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name):
            self._meet(node.func.at, node.func.id, self.peek(node.func.id))
        value = super().eval(node)
        is_here = node.at in self.wanted and self.frame.path == self.path
        if is_here and not (self.is_terse and isinstance(node, ir.Constant)):
            self._meet(node.at, self.frame.module.text(node.at), value)
            if self.is_terse and isinstance(node, ir.Attribute) and isinstance(value, Qualified):
                self.invocations[self._number, self.frame.serial].met.pop(node.base.at, None)
        return value

    def entering(self, frame: Frame) -> AbstractContextManager[Frame]:
        """Make `frame` the current one, as always; its parameters are written down the first time."""
        return self._watched_frame(frame, super().entering(frame))

    @contextmanager
    def _watched_frame(self, frame: Frame, entering: AbstractContextManager[Frame]) -> Iterator[Frame]:
        with entering:
            if frame.function is not None and (self._number, frame.serial) not in self.entered_frames:
                self.entered_frames.add((self._number, frame.serial))
                self._enter(frame, frame.function)
            yield frame

    def _enter(self, frame: Frame, function: ir.Function) -> None:
        for parameter in function.parameters:
            self._meet(parameter.at, parameter.name, frame.state.env.get(parameter.name))
        if frame.path == self.path and function.at in self.wanted:
            self._function(function).ways.setdefault(self._way(frame))

    def _watched(self, run: Callable[[Interpreter, Any], bool]) -> Callable[[Interpreter, Any], bool]:
        """A statement's transfer function that writes down the names it bound."""

        def watching(it: Interpreter, statement: ir.Stmt) -> bool:
            comes_out = run(it, statement)
            if comes_out and isinstance(it, _Observer):  # this one, or a fork
                for at, name in bound_names(statement):
                    it._meet(at, name, it.frame.state.env.get(name))
            return comes_out

        return watching

    def _meet(self, at: int, text: str, value: Value | None) -> None:
        frame = self.frame
        if value is None or at not in self.wanted or frame.path != self.path:
            return
        known = self.invocations.get((self._number, frame.serial))
        if known is None:
            known = self.invocations[self._number, frame.serial] = _Invocation(_place_of(frame), self._way(frame))
        known.meet(at, text, Describer(frame, self.locate, self.held).sentence(value))

    def _on_jit(self, event: JitBinding) -> None:
        function = underlying(event.application.target)
        if function is None or function.module.path != self.path or function.function.at not in self.wanted:
            return
        statics, parameters = event.application.statics, function.function.parameters
        told = self._function(function.function)
        told.statics.update((p.name, None) for i, p in enumerate(parameters) if statics.holds(i, p.name))

    def _function(self, function: ir.Function) -> _Function:
        return self.functions.setdefault(function.at, _Function(function))

    # --- words

    def locate(self, path: str, at: int) -> str:
        """Where a node is, for a reader of the file; nothing for what stands at no node."""
        source = next((module.source for module in self.modules.values() if module.path == path), None)
        if source is None or at < 0:
            return ""
        line = f" at line {source.span(at).line}"
        return line if path == self.path else f"{line} of `{source.name}`"

    def _way(self, frame: Frame) -> str:
        """How code came to be interpreted in a frame: by a trace, by a call, or without one."""
        if frame.function is None:
            return ""
        trace, caller = frame.trace, frame.caller
        outer = None if caller is None else caller.trace
        if trace is not None and trace is not outer:
            how, origin = _HOW.get(trace.level, "traced"), trace.origin
            by = f"{how} by `{short_name(trace.transform)}`{self.locate(origin.path, origin.at)}"
            if caller is None or frame.call_at == origin.at:
                return by  # by nobody's call in particular
            return f"{by} for the call{self.locate(caller.path, frame.call_at)}"
        if caller is None or frame.call_at == frame.function.at:
            return _UNCALLED
        called = f"called{self.locate(caller.path, frame.call_at)}"
        return called if trace is None else f"{called} while {trace.function} is traced"

    def notes(self) -> Iterator[Note]:
        """Everything met: first of the functions that begin at the place, then by invocation."""
        for at, function in sorted(self.functions.items()):
            yield self._note(at, function.sentence())
        groups = _grouped(self.invocations[serial] for serial in sorted(self.invocations))
        groups.sort(key=lambda group: group[1] == [_UNCALLED])  # what known calls give says more
        for where, ways, met in groups[:MAX_INVOCATIONS]:
            yield Note(f"{where}, {' and '.join(ways)}:" if any(ways) else f"{where}:")
            yield from self._expressions_of(met)
        if len(groups) > MAX_INVOCATIONS:
            yield Note(f"and other values in {len(groups) - MAX_INVOCATIONS} more ways to reach this code")

    def _expressions_of(self, met: Mapping[int, _Met]) -> Iterator[Note]:
        outermost_first = sorted(met, key=self._extent)
        for at in outermost_first[:MAX_EXPRESSIONS]:
            yield self._note(at, f"`{met[at].text}`: {met[at].sentence()}")
        if len(met) > MAX_EXPRESSIONS:
            yield Note(f"and {len(met) - MAX_EXPRESSIONS} more expressions; give a column to see fewer")

    def _extent(self, at: int) -> tuple[int, int]:
        start, end = self.source.offsets(at)
        return (start, -end)

    def _note(self, at: int, message: str) -> Note:
        return Note(message, self.path, self.source.span(at))


def _place_of(frame: Frame) -> str:
    if frame.kind == "module":
        return "at module level"
    return f"in class `{frame.qualname}`" if frame.kind == "class" else f"in `{frame.qualname}`"


def _grouped(invocations: Iterable[_Invocation]) -> list[tuple[str, list[str], Mapping[int, _Met]]]:
    """Invocations in which the same is known, together: (where, the ways to get there, what is met)."""
    groups: dict[Any, tuple[str, list[str], Mapping[int, _Met]]] = {}
    for invocation in invocations:
        key = (invocation.where, tuple((at, tuple(met.sentences)) for at, met in sorted(invocation.met.items())))
        _, ways, _ = groups.setdefault(key, (invocation.where, [], invocation.met))
        if invocation.way not in ways:
            ways.append(invocation.way)
    return list(groups.values())
