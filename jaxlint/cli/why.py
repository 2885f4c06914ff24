"""`jaxlint why`: what the analysis knows about one place, asked of the analysis and drawn as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from jaxlint.config import ConfigError, Configuration
from jaxlint.diagnostics import Note
from jaxlint.engine.command_line import SettingsOptions, find_inputs
from jaxlint.engine.exit_codes import CLEAN
from jaxlint.files.console import write_stdout
from jaxlint.files.discovery import FoundFile
from jaxlint.files.read import read_document
from jaxlint.report.cell_places import Places
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape

_PLACE: Final = re.compile(
    r"(?P<path>.+?)(?::cell (?P<cell>[0-9]{1,9}))?:(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?"
)


class Asked(NamedTuple):
    """A place as the user names it, all from 1. `cell` is None outside notebooks, `column` where a line is meant."""

    path: str
    cell: int | None
    line: int
    column: int | None


def parse_place(text: str) -> Asked:
    """The place that `PATH:LINE[:COLUMN]` or `PATH:cell N:LINE[:COLUMN]` names."""
    match = _PLACE.fullmatch(text)
    numbers = [] if match is None else [None if n is None else int(n) for n in match.group("cell", "line", "column")]
    if match is None or 0 in numbers:
        raise ConfigError(f"`{text}` is not of the form PATH:LINE[:COLUMN] or PATH:cell N:LINE[:COLUMN], from 1")
    cell, line, column = numbers
    return Asked(match["path"], cell, line or 1, column)


def run_why(place: str, options: SettingsOptions) -> int:
    """`jaxlint why`: what the analysis knows about one place."""
    asked = parse_place(place)
    inputs = find_inputs((asked.path,), options)
    if not inputs.discovery.files:
        raise ConfigError("is not a file that can be checked", key="why")
    files = _checked_with(inputs.discovery.files[0], inputs.working_directory, options)
    paths = PathPrinter(inputs.working_directory)
    write_stdout(why_lines(files, inputs.configuration, asked, paths))
    return CLEAN


def _checked_with(file: FoundFile, directory: str, options: SettingsOptions) -> Sequence[FoundFile]:
    """A file, and those of its project that a check of the working directory, or of the project, analyses with it."""
    is_below = file.path.startswith(os.path.join(directory, ""))
    found = find_inputs((directory if is_below else file.root,), options).discovery.files
    own = next((each for each in found if each.path == file.path), None)
    return [file] if own is None else [own, *(each for each in found if each.root == own.root and each != own)]


def why_lines(
    files: Sequence[FoundFile], configuration: Configuration, asked: Asked, paths: PathPrinter
) -> Iterator[str]:
    """What the analysis says of a place of the first file: findings with evidence, then what it knows of values."""
    from jaxlint.engine.explanation import AskedPlace
    from jaxlint.engine.session import Request, run

    places = Places(read_document)
    place = AskedPlace(files[0].path, _line(places, files[0].path, asked), asked.column)
    explained = run(Request(files, configuration, for_one=True), lambda session: session.explain(place))
    for finding in explained.findings:
        head = f"{finding.code} {finding.rule} ({finding.confidence.value}): {finding.message}"
        yield _placed(Note(head, finding.path, finding.span), places, paths)
        yield from (f"  {_placed(note, places, paths)}" for note in finding.notes)
    if explained.findings:
        yield ""
    yield from (_placed(note, places, paths) for note in explained.notes)


def _placed(found: Note, places: Places, paths: PathPrinter) -> str:
    """A note behind the place that it speaks of."""
    note = places.note_in_cell(found)
    where = ""
    if note.path is not None and note.span is not None:
        where = f"{paths.of(note.path, note.cell)}:{note.span.line}:{note.span.column}: "
    return f"{where}{escape(note.message)}"


def _line(places: Places, path: str, asked: Asked) -> int:
    """The line of the module that is meant."""
    document = places.document(path)
    if document is None or document.layout is None:
        if asked.cell is not None:
            raise ConfigError("is not a notebook with cells", asked.path)
        return asked.line
    if asked.cell is None:
        raise ConfigError(f"is a notebook: name the cell too, as in {asked.path}:cell 1:{asked.line}", asked.path)
    cell = next((cell for cell in document.layout.cells if cell.number == asked.cell), None)
    if cell is None:
        raise ConfigError(f"has no code in cell {asked.cell}", asked.path)
    return cell.line + asked.line - 1
