"""The `concise` format: one line for each diagnostic, for editors, logs and grep."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.engine.result import Result
from jaxlint.report.page_address import page_address
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape


def concise_lines(result: Result, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """`path:line:column: CODE slug: message` for each diagnostic, in order."""
    for diagnostic in result.diagnostics:
        span = diagnostic.span
        place = f"{paint.path(paths.of(diagnostic.path, diagnostic.cell))}:{span.line}:{span.column}:"
        name = paint.severity(f"{diagnostic.code} {diagnostic.rule}", diagnostic.severity)
        rule = paint.link(name, page_address(diagnostic)) if paint.has_links else name
        fix = paint.faint(f" [{diagnostic.fix.applicability.value} fix]") if diagnostic.fix else ""
        verdict = paint.faint(f" [{diagnostic.verdict}]") if diagnostic.verdict else ""
        yield f"{place} {rule}: {escape(diagnostic.message)}{fix}{verdict}"
