"""What the analysis knows at one place: the file is interpreted once more, and what is met there is written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from jaxlint.analysis import driver
from jaxlint.analysis.describe import Describer
from jaxlint.analysis.events import Event, JitBinding
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.transforms import underlying
from jaxlint.analysis.values import Value
from jaxlint.diagnostics import Note
from jaxlint.jaxapi.api import Api
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.findings import AnalysisOptions, Project
    from jaxlint.analysis.frames import Frame
    from jaxlint.syntax.source import SourceFile

#: Expressions shown of one invocation, invocations shown, and values shown of one expression in one invocation.
MAX_EXPRESSIONS = 12
MAX_INVOCATIONS = 4
MAX_VALUES = 3


def explain_place(
    project: Project, path: str, line: int, column: int | None, options: AnalysisOptions
) -> Sequence[Note]:
    """What the analysis knows of the expressions at a place of a file of the project, by invocation.

    `line` and `column` count from 1. Without a column, the expressions that begin on the line are meant; with one,
    those that stand around it. The outermost comes first.
    """
    source = project.files[path]
    wanted = _ordinals_at(source, line, column)
    observer = _Observer(project, Api.load(options.target_jax), options, path, frozenset(wanted))
    failure = driver.interpret(observer, path, source)
    notes = [*observer.function_notes(), *observer.expression_notes()]
    if not notes:
        notes.append(Note(_nothing(source, wanted)))
    if failure is not None:
        notes.append(Note(f"the rest of the file was not looked at: {failure}"))
    return notes


def _ordinals_at(source: SourceFile, line: int, column: int | None) -> list[int]:
    """The nodes that are meant by a place."""
    spans = [(at, source.span(at)) for at in range(source.module.node_count)]
    if column is not None:
        here = (line, column)
        return [at for at, s in spans if (s.line, s.column) <= here < (s.end_line, s.end_column)]
    beginning = [at for at, s in spans if s.line == line]
    return beginning or [at for at, s in spans if s.line <= line <= s.end_line]


def _nothing(source: SourceFile, wanted: list[int]) -> str:
    if not wanted:
        return "no code stands here"
    return "nothing is known here: no path that the analysis follows evaluates this code"


@dataclass(slots=True)
class _Invocation:
    """What was met in one frame: for each ordinal its text and, in order, the sentences about its values."""

    frame: Frame
    heading: str
    met: dict[int, tuple[str, list[str]]] = field(default_factory=dict)

    def note(self, at: int, text: str, sentence: str) -> None:
        sentences = self.met.setdefault(at, (text, []))[1]
        if sentence not in sentences:
            sentences.append(sentence)


class _Observer(Interpreter):
    """Interprets as always, and writes down what it meets at the wanted ordinals of one file."""

    def __init__(
        self, project: Project, api: Api, options: AnalysisOptions, path: str, wanted: frozenset[int]
    ) -> None:
        # Every event is listened for, since what nobody listens for is not always worked out.
        super().__init__(project, api, {kind: [] for kind in Event.__subclasses__()}, options)
        self.sinks = {**self.sinks, JitBinding: [self._bound]}
        self.path, self.wanted = path, wanted
        self.invocations: dict[int, _Invocation] = {}
        self.functions: dict[int, tuple[str, list[str]]] = {}
        self._statements = {kind: self._watched(run) for kind, run in self._statements.items()}
