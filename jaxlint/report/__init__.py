"""Reports: a result in one of the formats, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.result import Result


def report_lines(
    result: Result,
    output_format: str,
    *,
    paths: PathPrinter,
    paint: Paint,
    read_text: Callable[[str], str | None],
    statistics: bool = False,
) -> Iterator[str]:
    """The lines of the report. `read_text` gives the text of a file, or None where it can no longer be read."""
    if output_format == "json":
        from jaxlint.report.json_format import json_lines

        yield from json_lines(result, paths, statistics=statistics)
        return
    if output_format == "full":
        from jaxlint.report.full import full_lines

        yield from full_lines(result, paths, paint, read_text)
    else:
        from jaxlint.report.concise import concise_lines

        yield from concise_lines(result, paths, paint)
    yield from _closing(result, paint, statistics)


def _closing(result: Result, paint: Paint, statistics: bool) -> Iterator[str]:
    from jaxlint.report.summary import statistics_lines, summary_line

    if statistics:
        yield from statistics_lines(result, paint)
        yield ""
    yield summary_line(result, paint)
