"""`jaxlint why`: what the analysis knows about one place, asked of the analysis and drawn as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from jaxlint.config import ConfigError, Configuration
from jaxlint.discovery import FoundFile
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape

_PLACE: Final = re.compile(r"(?P<path>.+?):(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?")


def parse_place(text: str) -> tuple[str, int, int | None]:
    """Path, line and perhaps column of `PATH:LINE[:COLUMN]`."""
    match = _PLACE.fullmatch(text)
    if match is None or int(match["line"]) == 0 or match["column"] == "0":
        raise ConfigError(f"`{text}` is not of the form PATH:LINE[:COLUMN], counted from 1")
    return match["path"], int(match["line"]), int(match["column"]) if match["column"] else None


def why_lines(
    files: Sequence[FoundFile], configuration: Configuration, line: int, column: int | None, paths: PathPrinter
) -> Iterator[str]:
    """What the analysis says of the place, one line each, with the places that its evidence points to."""
    from jaxlint.engine import Request, explain

    if not files:
        raise ConfigError("is not a file that can be checked", key="why")
    for note in explain(Request(files[:1], configuration, jobs=1), line, column):
        where = ""
        if note.path is not None and note.span is not None:
            where = f"{paths(note.path)}:{note.span.line}:{note.span.column}: "
        yield f"{where}{escape(note.message)}"
