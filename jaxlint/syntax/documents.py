"""Every file that is checked holds one module: a Python file as it stands, a notebook and a Markdown document in cells.

The module's text is what is parsed; spans, comments and edits are in its lines until a report is made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple

from jaxlint.syntax.decode import Undecodable, decode, is_compiled
from jaxlint.syntax.demonstrations import comments_warn
from jaxlint.syntax.layout import Cell, Layout, Mask, fresh_prefix, script_layout
from jaxlint.syntax.magics import CLOCKS, STOP, has_command, mask_cell
from jaxlint.syntax.notebooks import CellEdit, Notebook, read_notebook

NOTEBOOK_SUFFIX: Final = ".ipynb"
MARKDOWN_SUFFIXES: Final = (".md", ".markdown", ".qmd")


class OtherLanguage(ValueError):  # noqa: N818 - it says what the file is
    """The file is a notebook of another language than Python."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.language = language


class Change(NamedTuple):
    """Replace the text between two offsets of the module; changes are in order and do not overlap."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file that holds a module. `text` is Python of the same length as `written`, which is what a person wrote.

    `layout` is None for a module that is not made of cells; `notebook` is the file itself where it is one.
    `passed_over` counts blocks of Markdown that are no Python.
    """

    text: str
    written: str
    encoding: str
    layout: Layout | None = None
    notebook: Notebook | None = None
    passed_over: int = 0

    def with_changes(self, changes: Sequence[Change]) -> bytes | None:
        """The file with changes made; None where its encoding lacks a character."""
        text = self._raw(changes)
        try:
            return text.encode(self.encoding)
        except UnicodeError:
            return None

    def _raw(self, changes: Sequence[Change]) -> str:
        if self.notebook is None or self.layout is None:
            return "".join(_spliced(self.written, changes))
        cells = self.layout.cells
        by_cell = groupby(changes, key=lambda change: _index(cells, change.start))
        return self.notebook.with_edits(
            (index, [CellEdit(c.start - cells[index].start, c.end - cells[index].start, c.text) for c in group])
            for index, group in by_cell
        )

    def compiles(self) -> bool:
        """Whether this interpreter takes the module, down to its bytecode."""
        flags = 0 if self.layout is None else ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        return is_compiled(self.text, flags)

    def file_offset(self, offset: int) -> int:
        """Where in the file's text a character of the module stands."""
        if self.notebook is None or self.layout is None:
            return offset
        cells = self.layout.cells
        index = _index(cells, offset)
        return self.notebook.offset(index, min(offset, cells[index].end) - cells[index].start)


def open_document(path: str, data: bytes) -> Document:
    """What a file holds, by the ending of its name. Raises Undecodable and OtherLanguage."""
    if path.endswith(NOTEBOOK_SUFFIX):
        return _of_notebook(data)
    if path.endswith(MARKDOWN_SUFFIXES):
        return _of_markdown(data)
    written, encoding = decode(data)
    text, layout = read_script(written)
    return Document(text, written, encoding, layout)


class Script(NamedTuple):
    """A Python file: its text with what only IPython takes masked by text of equal length, and its cells, if any."""

    text: str
    layout: Layout | None


def read_script(written: str) -> Script:
    """Read a Python file. In one that is divided into cells and is no Python as a whole, IPython's commands are masked.

    VS Code and Spyder run such cells in IPython.
    """
    layout = script_layout(written)
    if layout is None or not has_command(written) or is_compiled(written, ast.PyCF_ONLY_AST):
        return Script(written, layout)
    prefix = fresh_prefix([written])
    masked = [mask_cell(written[cell.start : cell.end], prefix) for cell in layout.cells]
    masks = tuple(
        Mask(mask.start + cell.start, mask.end + cell.start, mask.is_line)
        for cell, each in zip(layout.cells, masked, strict=True)
        for mask in each.masks
    )
    return Script("".join(each.text for each in masked), replace(layout, masks=masks))


def _spliced(text: str, changes: Sequence[Change]) -> Iterator[str]:
    at = 0
    for change in changes:
        yield text[at : change.start]
        yield change.text
        at = change.end
    yield text[at:]


def _index(cells: Sequence[Cell], offset: int) -> int:
    """The cell that an offset lies in, or behind which it lies."""
    return max(sum(cell.start <= offset for cell in cells) - 1, 0)


# --- notebooks


class Module(NamedTuple):
    """The module that cells make up: its text, what a person wrote, of the same length, and how the cells lie in it."""

    text: str
    written: str
    layout: Layout


def _of_notebook(data: bytes) -> Document:
    notebook = read_notebook(data)
    if not notebook.is_python:
        raise OtherLanguage(notebook.language)
    encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    demonstrations = frozenset(cell.number for cell in notebook.cells if cell.is_demonstration)
    run = frozenset(cell.number for cell in notebook.cells if cell.has_run)
    text, written, layout = join_cells([(cell.number, cell.text) for cell in notebook.cells], demonstrations, run)
    return Document(text, written, encoding, layout, notebook)


def join_cells(
    sources: Sequence[tuple[int, str]],
    demonstrations: frozenset[int] = frozenset(),
    run: frozenset[int] = frozenset(),
) -> Module:
    """The module that numbered cells make up in their order, with what is no Python masked.

    Of `demonstrations`, the text around and the stored output tell; of others, their comments may. `run` are those
    that were run and raised nothing.
    """
    prefix = fresh_prefix(source for _, source in sources)
    parts: list[str] = []
    written: list[str] = []
    cells: list[Cell] = []
    masks: list[Mask] = []
    at, line = 0, 1
    for number, source in sources:
        masked = mask_cell(source, prefix)
        behind = f"\n{prefix}{STOP}\n" if masked.is_timed else "\n"
        is_demonstration = number in demonstrations or comments_warn(source)
        cells.append(Cell(number, at, at + len(source), line, masked.margin, is_demonstration, number in run))
        masks += (Mask(mask.start + at, mask.end + at, mask.is_line) for mask in masked.masks)
        parts += (masked.text, behind)
        written += (source, behind)
        at += len(source) + len(behind)
        line += _line_ends(source) + behind.count("\n")
    clocks = {prefix + letter: magic for magic, letter in CLOCKS.items()} | {prefix + STOP: ""}
    return Module("".join(parts), "".join(written), Layout(tuple(cells), tuple(masks), clocks))


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


# --- Markdown


def _of_markdown(data: bytes) -> Document:
    from jaxlint.syntax.markdown import read_markdown

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Undecodable("the file is not valid utf-8", line=line) from None
    encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    read = read_markdown(text, _is_python)
    return Document(read.text, text, encoding, read.layout, None, read.passed_over)


def _is_python(text: str) -> bool:
    """Whether a block can be parsed: by this interpreter, or by the parser for all versions."""
    if is_compiled(text, ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT):
        return True
    from jaxlint.syntax.parse import Unparsable, parse

    try:
        parse(text)
    except (Unparsable, RecursionError):
        return False
    return True


__all__ = ["Change", "Document", "OtherLanguage", "Script", "Undecodable", "open_document", "read_script"]
