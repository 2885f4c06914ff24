"""What the analysis knows at places of small modules, as `jaxlint why` tells it."""

from __future__ import annotations

from textwrap import dedent

from jaxlint.analysis import explain_place
from jaxlint.analysis.domain.findings import AnalysisOptions, Project
from jaxlint.diagnostics import Note
from jaxlint.syntax.source import Failure, SourceFile, read


def module(text: str, name: str = "place") -> SourceFile:
    source = read(f"{name}.py", dedent(text).lstrip("\n").encode(), name, False)
    assert not isinstance(source, Failure), source
    return source


def notes(text: str, line: int, column: int | None = None, **others: str) -> list[Note]:
    """The notes about a place of a module; `others` are modules that it can import."""
    source = module(text)
    found = {name: module(other, name) for name, other in others.items()}
    project = Project({source.path: source}, found.get)
    return list(explain_place(project, source.path, line, column, AnalysisOptions()).notes)


def said(text: str, line: int, column: int | None = None, **others: str) -> list[str]:
    return [note.message for note in notes(text, line, column, **others)]


def kinds(text: str, line: int, column: int) -> dict[str, list[str]]:
    """For each expression at a place the kinds of its value in each invocation, without the chain of evidence."""
    found: dict[str, list[str]] = {}
    for note in notes(text, line, column):
        if note.span is not None:
            name, _, sentence = note.message.partition("`: ")
            found.setdefault(name.removeprefix("`"), []).append(sentence.partition(";")[0])
    return found
