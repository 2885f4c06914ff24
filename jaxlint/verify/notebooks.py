"""Notebooks as the modules that their cells make up: until a report shows it, a place is a line of that module."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from jaxlint.files.read import read_document
from jaxlint.syntax.documents import NOTEBOOK_SUFFIX, Document, join_cells

#: What Python calls a line end; a form feed, which stands for the margin of a cell, is none.
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
#: Cells of sessions, which stand in no file, by the names that IPython gives to their code.
_typed: dict[str, str] = {}


@cache
def notebook_in(path: str) -> Document | None:
    """The notebook in a file, read once, so that a run that writes to it changes nothing; None for other files."""
    return read_document(path) if path.endswith(NOTEBOOK_SUFFIX) else None


def cell_of(path: str, line: int) -> tuple[int | None, int]:
    """The cell of a notebook that a line stands in, and the line counted there; other files have no cells."""
    document = notebook_in(path)
    cell = document.layout.cell_of_line(line) if document is not None and document.layout is not None else None
    return (None, line) if cell is None else (cell.number, line - cell.line + 1)


def cells_of(path: str) -> list[dict[str, str | int]]:
    """The cells of a notebook: number, the module's line that each begins on, and the text as it is written."""
    document = notebook_in(path)
    if document is None or document.layout is None:
        return []
    return [
        {"number": cell.number, "line": cell.line, "text": document.written[cell.start : cell.end]}
        for cell in document.layout.cells
    ]


def remember(names: Mapping[str, str]) -> None:
    """Keep the texts of cells that stand in no file."""
    _typed.update(names)


def module_text(path: str, *, written: bool = False) -> str | None:
    """The module of a notebook, or of a cell that was typed; None for other files. `written`: not masked."""
    document = notebook_in(path)
    if document is not None:
        return document.written if written else document.text
    typed = _typed.get(path)
    return typed if typed is None or written else join_cells([(1, typed)]).text


def module_lines(path: str) -> tuple[str, ...] | None:
    """The lines of that module, with what is no Python masked; None for other files."""
    text = module_text(path)
    return None if text is None else tuple(_LINE_END.split(text))
