"""Reports: a result in one of the formats, ready to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from jaxlint.engine.result import Result
from jaxlint.report.cell_places import Places
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter

if TYPE_CHECKING:
    from jaxlint.syntax.documents import Document

#: Formats whose readers know the cells of a notebook; those of the others know its file.
_BY_CELL: Final = ("json", "json-lines", "full", "grouped", "concise", "junit")


def report_lines(  # noqa: PLR0913 - what a report needs, each by its keyword
    result: Result,
    output_format: str,
    *,
    paths: PathPrinter,
    paint: Paint,
    read_text: Callable[[str], str | None],
    statistics: bool = False,
    summary: bool = True,
    repository: PathPrinter | None = None,
    warn: Callable[[str], None] = lambda _: None,
    read_document: Callable[[str], Document | None] = lambda _: None,
    is_undeclared: Callable[[str], bool] = lambda _: False,
) -> Iterator[str]:
    """The lines of the report. `read_text` gives the text of a file, or None where it can no longer be read.

    `read_document` gives a notebook in the same way.
    `summary` says whether texts for people end with a line that sums up.
    `is_undeclared` tells the files of which nobody says which JAX they are for.
    `repository` prints paths for formats that a host of repositories reads; `warn` is told what a format cannot hold.
    """
    places = Places(read_document)
    result = places.by_cell(result) if output_format in _BY_CELL else places.by_file(result)
    if output_format == "json":
        from jaxlint.report.json_format import json_lines

        yield from json_lines(result, paths, statistics=statistics)
    elif output_format in ("full", "grouped", "concise"):
        from jaxlint.report.removed_names import folded, target_hints

        yield from _for_people(folded(result, is_undeclared), output_format, paths, paint, read_text, places)
        yield from _closing(result, paint, statistics=statistics, summary=summary)
        yield from target_hints(result, is_undeclared) if summary else ()
    elif output_format in ("github", "gitlab", "sarif", "azure"):
        yield from _for_hosts(result, output_format, repository or paths, warn)
    else:
        yield from _for_programs(result, output_format, paths, read_text)


def _for_people(
    result: Result,
    output_format: str,
    paths: PathPrinter,
    paint: Paint,
    read_text: Callable[[str], str | None],
    places: Places,
) -> Iterator[str]:
    if output_format == "full":
        from jaxlint.report.full import full_lines

        return full_lines(result, paths, paint, read_text, places.written)
    if output_format == "grouped":
        from jaxlint.report.grouped import grouped_lines

        return grouped_lines(result, paths, paint)
    from jaxlint.report.concise import concise_lines

    return concise_lines(result, paths, paint)


def _for_hosts(
    result: Result, output_format: str, repository: PathPrinter, warn: Callable[[str], None]
) -> Iterator[str]:
    """Formats whose paths are relative to the repository's root: their readers know nothing of a working directory."""
    if output_format == "github":
        from jaxlint.report.github import github_lines

        return github_lines(result, repository)
    if output_format == "gitlab":
        from jaxlint.report.gitlab import gitlab_lines

        return gitlab_lines(result, repository)
    if output_format == "azure":
        from jaxlint.report.azure import azure_lines

        return azure_lines(result, repository)
    from jaxlint.report.sarif import sarif_lines

    return sarif_lines(result, repository, warn)


def _for_programs(
    result: Result, output_format: str, paths: PathPrinter, read_text: Callable[[str], str | None]
) -> Iterator[str]:
    if output_format == "json-lines":
        from jaxlint.report.json_format import json_stream

        return json_stream(result, paths)
    if output_format == "junit":
        from jaxlint.report.junit import junit_lines

        return junit_lines(result, paths)
    if output_format == "rdjson":
        from jaxlint.report.rdjson import rdjson_lines

        return rdjson_lines(result, paths, read_text)
    from jaxlint.report.pylint import pylint_lines

    return pylint_lines(result, paths)


def _closing(result: Result, paint: Paint, *, statistics: bool, summary: bool) -> Iterator[str]:
    from jaxlint.report.totals import statistics_lines, summary_line

    if statistics:
        yield from statistics_lines(result, paint)
    if statistics and summary:
        yield ""
    if summary:
        yield summary_line(result, paint)
