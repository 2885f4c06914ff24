"""The `github` format: one workflow command for each diagnostic, which GitHub Actions shows at its line.

The grammar is that of https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.diagnostics import Diagnostic, Severity
from jaxlint.engine.result import Result
from jaxlint.report.paths import PathPrinter
from jaxlint.report.prose import detail_lines
from jaxlint.text import escape

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_MESSAGE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github_lines(result: Result, paths: PathPrinter) -> Iterator[str]:
    """One command for each diagnostic, in order. `paths` prints relative to the repository's root."""
    for diagnostic in result.diagnostics:
        properties = ",".join(f"{name}={value}" for name, value in _properties(diagnostic, paths))
        text = "\n".join((escape(diagnostic.message), *detail_lines(diagnostic, paths)))
        yield f"::{_COMMANDS[diagnostic.severity]} {properties}::{text.translate(_MESSAGE)}"


def _properties(diagnostic: Diagnostic, paths: PathPrinter) -> Iterator[tuple[str, str | int]]:
    span = diagnostic.span
    yield "title", f"jaxlint {diagnostic.code} {diagnostic.rule}".translate(_PROPERTY)
    yield "file", paths(diagnostic.path).translate(_PROPERTY)
    yield "line", span.line
    yield "endLine", span.end_line
    if span.line == span.end_line:  # of a range of lines, GitHub takes no columns
        yield "col", span.column
        yield "endColumn", span.end_column
