"""The `pylint` format: lines as pylint's parseable output, which Jenkins and other readers of pylint understand."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.result import Result
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape


def pylint_lines(result: Result, paths: PathPrinter) -> Iterator[str]:
    """`path:line: [CODE(slug), ] message` for each diagnostic, in order; pylint too leaves an unknown object empty."""
    for diagnostic in result.diagnostics:
        place = f"{paths(diagnostic.path)}:{diagnostic.span.line}"
        yield f"{place}: [{diagnostic.code}({diagnostic.rule}), ] {escape(diagnostic.message)}"
