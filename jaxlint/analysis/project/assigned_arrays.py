"""The dtypes and shapes of arrays that a file assigns to names, where they are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.analysis.domain.values import Array, Value
from jaxlint.analysis.events.event import Event
from jaxlint.analysis.machine.interpreter import Interpreter
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.project import driver
from jaxlint.analysis.project.bound_names import bound_names
from jaxlint.analysis.project.semantics import SEMANTICS
from jaxlint.syntax import ir
from jaxlint.syntax.walks import nodes

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import AnalysisOptions, Project
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.syntax.source import SourceFile

#: Names of single dtypes; the others are classes of them.
_DTYPE: Final = re.compile(r"bool|[a-z]+[0-9]\w*")
_ASSIGNMENTS: Final[tuple[type, ...]] = (ir.Assign, ir.AnnotatedAssign, ir.AugmentedAssign)


class _Assigned(NamedTuple):
    """A name where it is assigned."""

    at: int
    name: str
    is_in_function: bool


class AssignedArray(NamedTuple):
    """A name that is assigned an array, `float32[3, 4]`; in a function, in every call that is known."""

    at: int
    name: str
    is_in_function: bool
    text: str


def assigned_arrays(project: Project, source: SourceFile, options: AnalysisOptions) -> Sequence[AssignedArray]:
    """The arrays that a file of the project assigns to names, in order. Must run where the stack is deep.

    Nothing is said of what was met in two forms, rests on an annotation, or stands in a function that may be called
    in ways that were not looked into.
    """
    observer = _Observer(project, options, source.path)
    if driver.interpret(observer, source) is not None:
        return ()
    is_partial = bool(observer.statistics.limits) or source.path in observer.limited
    found = [AssignedArray(*assigned, text) for assigned, text in observer.all_met().items() if text]
    return sorted(each for each in found if not (each.is_in_function and is_partial))


class _Observer(Interpreter):
    """Interprets as always, and writes down the arrays that assignments bind; empty where they are not one form."""

    def __init__(self, project: Project, options: AnalysisOptions, path: str) -> None:
        # Every event has its listener, since what nobody listens for is not always worked out.
        sinks: dict[type, list[Any]] = {kind: [] for kind in Event.__subclasses__()}
        super().__init__(project, options.api, SEMANTICS, sinks, options)
        self.path = path
        self.met: dict[_Assigned, str] = {}
        self._met_without_call: dict[_Assigned, str] = {}
        self._uncalled = 0  # how many traces around the current frame stand for no call
        self._trace_uncalled = self.library.trace_uncalled
        self.library = replace(self.library, trace_uncalled=self._tracing_uncalled)
        watched = {kind: self._watched(self._statements[kind]) for kind in _ASSIGNMENTS}
        self._statements = {**self._statements, **watched}

    def all_met(self) -> dict[_Assigned, str]:
        """What known calls give; of code that no known call leads to, what holds whoever calls it."""
        return {**self._met_without_call, **self.met}

    def _tracing_uncalled(self, it: Interpreter, *what: Any) -> None:
        self._uncalled += 1
        try:
            self._trace_uncalled(it, *what)
        finally:
            self._uncalled -= 1

    def _watched(self, run: Callable[[Interpreter, Any], bool]) -> Callable[[Interpreter, Any], bool]:
        def watching(it: Interpreter, statement: ir.Stmt) -> bool:
            comes_out = run(it, statement)
            frame = self.frame
            if comes_out and frame.path == self.path:
                for at, name in bound_names(statement):
                    self._meet(at, name, frame)
            return comes_out

        return watching

    def _meet(self, at: int, name: str, frame: Frame) -> None:
        text = "" if _recurses(self, frame) else _form(frame.state.env.get(name))
        key = _Assigned(at, name, frame.function is not None)
        met = self._met_without_call if self._uncalled or any(map(_is_open, frame.callers())) else self.met
        met[key] = text if met.get(key, text) == text else ""


def _form(value: Value | None) -> str:
    """An array as JAX writes it; empty where anything of it is not known for sure."""
    if not isinstance(value, Array) or value.assumed or value.dtype is None or value.shape is None:
        return ""
    if not _DTYPE.fullmatch(value.dtype) or not all(isinstance(dim, int) for dim in value.shape):
        return ""
    return f"{value.dtype}[{', '.join(map(str, value.shape))}]"


def _is_open(frame: Frame) -> bool:
    """Whether a frame is of a function that is looked at without a call."""
    return frame.function is not None and frame.call_at == frame.function.at


def _recurses(it: Interpreter, frame: Frame) -> bool:
    """Whether a frame is of a function that names itself: its inner calls are not looked into."""
    function = frame.function
    return function is not None and function.name in _names_in(it, function)


@memoised
def _names_in(_: Interpreter, function: ir.Function) -> frozenset[str]:
    return frozenset(_each_name_in(function))


def _each_name_in(function: ir.Function) -> Iterator[str]:
    for node in nodes(function.body):
        if isinstance(node, ir.Name):
            yield node.id
        elif isinstance(node, ir.Attribute):
            yield node.attr
