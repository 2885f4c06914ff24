"""The `grouped` format: one line for each diagnostic below the name of its file, for going file by file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.result import Result
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape


def grouped_lines(result: Result, paths: PathPrinter, paint: Paint) -> Iterator[str]:
    """Each file with its diagnostics in columns, and an empty line after each file."""
    for path, group in groupby(result.diagnostics, key=lambda diagnostic: diagnostic.path):
        diagnostics = list(group)
        yield f"{paint.path(paths(path))}:"
        places = [_place(diagnostic) for diagnostic in diagnostics]
        rules = [f"{d.code} {d.rule}" for d in diagnostics]
        widths = max(map(len, places)), max(map(len, rules))
        for place, rule, diagnostic in zip(places, rules, diagnostics, strict=True):
            yield _line(place, rule, widths, diagnostic, paint)
        yield ""


def _place(diagnostic: Diagnostic) -> str:
    cell = "" if diagnostic.cell is None else f"cell {diagnostic.cell}:"
    return f"{cell}{diagnostic.span.line}:{diagnostic.span.column}"


def _line(place: str, rule: str, widths: tuple[int, int], diagnostic: Diagnostic, paint: Paint) -> str:
    shown = paint.severity(f"{rule:<{widths[1]}}", diagnostic.severity)
    return f"  {place:<{widths[0]}}  {shown}  {escape(diagnostic.message)}"
