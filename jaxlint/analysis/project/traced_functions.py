"""Which functions of a file are traced, by what, and what their parameters are then: for those who show it in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.application import short_name, underlying
from jaxlint.analysis.domain.values import Level, Static, is_traced
from jaxlint.analysis.events.compilation import JitBinding
from jaxlint.analysis.machine.interpreter import Interpreter
from jaxlint.analysis.project import driver
from jaxlint.analysis.project.semantics import SEMANTICS

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import AnalysisOptions, Project
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.syntax import ir
    from jaxlint.syntax.source import SourceFile


@dataclass(slots=True)
class TracedFunction:
    """A def that a trace enters.

    `parameters` tells, by ordinal, what they are in traces; `statics` are those that a transform is told of.
    """

    function: ir.Function
    transforms: dict[str, None] = field(default_factory=dict)
    parameters: dict[int, set[str]] = field(default_factory=dict)
    statics: set[int] = field(default_factory=set)
    is_compiled: bool = False

    def kind(self, at: int) -> str:
        """`traced` or `static` where that is so in every trace; else empty."""
        if at in self.statics:
            return "" if "traced" in self.parameters.get(at, ()) else "static"
        kinds = self.parameters.get(at, set())
        return next(iter(kinds)) if len(kinds) == 1 else ""


def traced_functions(project: Project, source: SourceFile, options: AnalysisOptions) -> Sequence[TracedFunction]:
    """The traced functions of a file of the project, in order. Must run where the stack is deep."""
    observer = _Observer(project, options.api, SEMANTICS, {}, options)
    observer.path = source.path
    observer.functions = {}
    observer.sinks = {JitBinding: [observer.on_jit]}
    driver.interpret(observer, source)
    return [observer.functions[at] for at in sorted(observer.functions)]


class _Observer(Interpreter):
    """Interprets as always, and notes the frames that stand for the start of a trace."""

    path: str
    functions: dict[int, TracedFunction]

    def entering(self, frame: Frame) -> AbstractContextManager[Frame]:
        """Make `frame` the current one, as always."""
        return self._watched_frame(frame, super().entering(frame))

    @contextmanager
    def _watched_frame(self, frame: Frame, entering: AbstractContextManager[Frame]) -> Iterator[Frame]:
        function = frame.function
        with entering:
            if function is not None and frame.trace is not None and frame.path == self.path and not function.is_lambda:
                self._enter(frame, function)
            yield frame

    def on_jit(self, event: Any) -> None:
        """Note which parameters are static."""
        target = underlying(event.application.target)
        if target is None or target.module.path != self.path or target.function.is_lambda:
            return
        known = self.functions.setdefault(target.function.at, TracedFunction(target.function))
        for index, parameter in enumerate(target.function.parameters):
            if event.application.statics.holds(index, parameter.name):
                known.statics.add(parameter.at)

    def _enter(self, frame: Frame, function: ir.Function) -> None:
        known = self.functions.setdefault(function.at, TracedFunction(function))
        trace, outer = frame.trace, None if frame.caller is None else frame.caller.trace
        assert trace is not None
        if trace is not outer:
            known.transforms.setdefault(short_name(trace.transform))
            known.is_compiled = known.is_compiled or (trace.level is Level.TRACED and trace.is_compiled)
        for parameter in function.parameters:
            value = frame.state.env.get(parameter.name)
            kinds = known.parameters.setdefault(parameter.at, set())
            kinds.add("" if value is None else "traced" if is_traced(value) else _static(value))


def _static(value: object) -> str:
    return "static" if isinstance(value, Static) else ""
