"""A Jupyter notebook as the text of its file: where the code of each cell stands, and edits that touch nothing else.

The file is scanned, not loaded: outputs, which are most of many notebooks, are passed over as they stand.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import Any, Final, NamedTuple

from jaxlint.syntax.decode import Undecodable
from jaxlint.syntax.demonstrations import text_warns
from jaxlint.syntax.positions import LineIndex

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
#: Strings of an array, each with the comma behind it: the lines of a text, passed over at once.
_STRINGS: Final = re.compile(rf"(?:{_STRING.pattern}[ \t\r\n]*,[ \t\r\n]*){{1,1000}}(?=\")")
_SCALAR: Final = re.compile(r"(?:true|false|null|NaN|-?Infinity|-?[0-9][0-9.eE+-]*)(?![\w.])")
#: One character of a string as JSON writes it: a pair of surrogates is one.
_UNIT: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\u[0-9a-fA-F]{4}")
_PYTHON: Final = ("python", "ipython", "python3", "ipython3")
_INCOMPLETE: Final = "the notebook is not valid JSON: it ends too early"
_UPGRADE: Final = "`jupyter nbconvert --to notebook --inplace` brings it up to date"


class NotANotebook(Undecodable):
    """The text is no notebook that can be read."""


class Literal(NamedTuple):
    """One string of a cell's source: where it stands in the file between its quotes, and what it says."""

    start: int
    end: int
    text: str


class CodeCell(NamedTuple):
    """A code cell. `number` counts all cells from 1; `start` and `end` bound its source in the file, brackets included.

    A source is one string, or a list of them of which each is a line, as a rule. `is_demonstration`: an error is stored
    as its output, or the text around it speaks of one. `has_run`: it has a number of its run, and no error of any kind.
    """

    number: int
    start: int
    end: int
    literals: tuple[Literal, ...]
    is_list: bool
    is_demonstration: bool = False
    has_run: bool = False

    @property
    def text(self) -> str:
        """The code as a person sees it."""
        return "".join(literal.text for literal in self.literals)


class CellEdit(NamedTuple):
    """Replace the text between two offsets of a cell's own text."""

    start: int
    end: int
    text: str


class Notebook(NamedTuple):
    """The text of a file, and its code. `language` is in lower case, and "python" where none is told."""

    raw: str
    cells: tuple[CodeCell, ...]
    language: str

    @property
    def is_python(self) -> bool:
        """Whether its kernel runs Python."""
        return self.language in _PYTHON

    def with_edits(self, edits: Iterable[tuple[int, Sequence[CellEdit]]]) -> str:
        """The file's text with edits made in cells, given by their index in `cells`; those of a cell are in order.

        Characters that no edit touches are written as they were, escapes included.
        """
        ascii_only = self.raw.isascii() and _ESCAPE.search(self.raw) is not None
        parts: list[str] = []
        at = 0
        for index, changes in sorted(edits, key=lambda item: item[0]):
            cell = self.cells[index]
            parts += (self.raw[at : cell.start], _rewritten(self.raw, cell, changes, ascii_only))
            at = cell.end
        return "".join((*parts, self.raw[at:]))

    def offset(self, index: int, position: int) -> int:
        """Where in the file a character of a cell stands, or for the position behind the last one, what ends it."""
        literals = self.cells[index].literals
        if not literals:
            return self.cells[index].start
        starts = [0, *accumulate(len(literal.text) for literal in literals)]
        which = min(bisect_right(starts, position) - 1, len(literals) - 1)
        literal = literals[which]
        into = position - starts[which]
        if literal.end - literal.start == len(literal.text):
            return literal.start + into
        units = _UNIT.findall(self.raw, literal.start, literal.end)
        return literal.start + sum(map(len, units[:into]))


def cells_file(sources: Iterable[str]) -> bytes:
    """A notebook that holds these code cells and nothing else."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}).encode()


# --- writing


def _rewritten(raw: str, cell: CodeCell, edits: Sequence[CellEdit], ascii_only: bool) -> str:
    """The source of a cell, as JSON, after edits. Each unit is a character as written and what stands behind it."""
    separator = _separator(raw, cell)
    is_split = cell.is_list and all("\n" not in literal.text[:-1] for literal in cell.literals)
    units = list(_units(raw, cell))
    for edit in reversed(edits):
        new = [(json.dumps(c, ensure_ascii=ascii_only)[1:-1], c == "\n" and is_split) for c in edit.text]
        units[edit.start : edit.end] = [(text, separator if ends else "") for text, ends in new]
    if units:
        units[-1] = (units[-1][0], "")
    head = raw[cell.start : cell.literals[0].start] if cell.literals else '["'
    tail = raw[cell.literals[-1].end : cell.end] if cell.literals else '"]'
    if not units and cell.is_list:
        return "[]"
    return head + "".join(f"{text}{behind}" for text, behind in units) + tail


def _units(raw: str, cell: CodeCell) -> Iterator[tuple[str, str]]:
    for literal, following in zip_longest(cell.literals, cell.literals[1:]):
        behind = "" if following is None else raw[literal.end : following.start]
        own = _UNIT.findall(raw, literal.start, literal.end)
        yield from ((unit, "") for unit in own[:-1])
        if own:
            yield own[-1], behind


def _separator(raw: str, cell: CodeCell) -> str:
    """What stands between two lines of a cell: the quotes, the comma and how the next line is set off."""
    if len(cell.literals) > 1:
        return raw[cell.literals[0].end : cell.literals[1].start]
    blank = raw[cell.start + 1 : cell.literals[0].start - 1] if cell.is_list and cell.literals else ""
    return f'",{blank or " "}"'


# --- reading


def read_notebook(data: bytes) -> Notebook:
    """Find the code of a notebook. Raises NotANotebook."""
    try:
        raw = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotANotebook("the notebook is not valid utf-8", line) from None
    scan = _Scan(raw)
    try:
        return _notebook(scan)
    except RecursionError:
        raise scan.error("the notebook is nested too deeply") from None


class _Scan:
    """A place in a text of JSON that moves forward. Raises NotANotebook at the first character that cannot be."""

    __slots__ = ("at", "raw")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.at = 0

    def error(self, message: str, at: int | None = None) -> NotANotebook:
        return NotANotebook(message, *LineIndex(self.raw).place(self.at if at is None else at))

    def peek(self) -> str:
        """The next character that is not blank, empty at the end."""
        blank = _BLANK.match(self.raw, self.at)
        self.at = self.at if blank is None else blank.end()
        return self.raw[self.at : self.at + 1]

    def expect(self, characters: str) -> str:
        """Pass over one of these characters."""
        found = self.peek()
        if not found or found not in characters:
            raise self.error("the notebook is not valid JSON" if found else _INCOMPLETE)
        self.at += 1
        return found

    def string(self) -> tuple[int, int]:
        """Pass over a string; its place between its quotes."""
        self.peek()
        match = _STRING.match(self.raw, self.at)
        if match is None:
            raise self.error("the notebook is not valid JSON: a string is expected")
        self.at = match.end()
        return match.start() + 1, match.end() - 1

    def skip(self) -> None:
        """Pass over a value of any kind."""
        closers: list[str] = []
        while True:
            character = self.peek()
            if character == '"':
                lines = _STRINGS.match(self.raw, self.at) if closers and closers[-1] == "]" else None
                if lines is not None:
                    self.at = lines.end()
                    continue
                self._skip_string()
            elif character and character in "[{":
                closers.append("]" if character == "[" else "}")
                self.at += 1
                if self.peek() != closers[-1]:
                    self._key(closers)
                    continue
            else:
                self._scalar()
            if not self._close(closers):
                return
            self._key(closers)

    def _skip_string(self) -> None:
        """Pass over a string; where nothing is escaped in it, as in a picture, only its end is looked for."""
        end = self.raw.find('"', self.at + 1)
        if end < 0 or self.raw.find("\\", self.at + 1, end) >= 0:
            self.string()
        else:
            self.at = end + 1

    def _close(self, closers: list[str]) -> bool:
        """Behind a value: pass over what closes, up to the comma in front of the next one; whether there is one."""
        while closers and self.peek() == closers[-1]:
            self.at += 1
            closers.pop()
        if closers:
            self.expect(",")
        return bool(closers)

    def _key(self, closers: list[str]) -> None:
        if closers and closers[-1] == "}":
            self.string()
            self.expect(":")

    def _scalar(self) -> None:
        match = _SCALAR.match(self.raw, self.at)
        if match is None:
            raise self.error("the notebook is not valid JSON" if self.peek() else _INCOMPLETE)
        self.at = match.end()

    def value(self) -> Any:  # noqa: ANN401 - JSON
        """Read a small value."""
        self.peek()
        try:
            value, self.at = json.JSONDecoder().raw_decode(self.raw, self.at)
        except ValueError:
            raise self.error("the notebook is not valid JSON") from None
        return value

    def members(self) -> Iterator[str]:
        """The keys of an object; the caller passes over the value of each."""
        self.expect("{")
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            start, end = self.string()
            self.expect(":")
            yield self.raw[start:end]
            if self.expect(",}") == "}":
                return

    def elements(self) -> Iterator[int]:
        """The numbers, from 1, of the elements of an array; the caller passes over each."""
        self.expect("[")
        if self.peek() == "]":
            self.at += 1
            return
        number = 1
        while True:
            yield number
            number += 1
            if self.expect(",]") == "]":
                return


def _notebook(scan: _Scan) -> Notebook:
    cells: tuple[CodeCell, ...] | None = None
    metadata: Any = None
    version: Any = 4
    if scan.peek() != "{":
        raise scan.error("the file is not a notebook" if scan.peek() else "the notebook is empty")
    for key in scan.members():
        if key == "cells":
            if scan.peek() not in ("[", ""):
                raise scan.error("the file is not a notebook: its cells are no list")
            cells = _code_cells([_cell(scan, number) for number in scan.elements()])
        elif key == "metadata":
            metadata = scan.value()
        elif key == "nbformat":
            version = scan.value()
        else:
            scan.skip()
    if scan.peek():
        raise scan.error("the notebook is not valid JSON: it goes on behind its end")
    if isinstance(version, int) and version < 4:
        raise NotANotebook(f"the notebook is of format {version}, which is not read: {_UPGRADE}")
    if cells is None:
        raise NotANotebook("the file is not a notebook: it has no cells")
    return Notebook(scan.raw, cells, _language(metadata))


class _AnyCell(NamedTuple):
    """A cell of any kind: whether an error of its code is stored as its output, and whether it ran without one."""

    is_code: bool
    source: CodeCell | None
    failed: bool
    has_run: bool


def _cell(scan: _Scan, number: int) -> _AnyCell:
    start = scan.at
    kind: Any = None
    source: CodeCell | None = None
    failed = is_counted = raised = False
    for key in scan.members():
        if key == "cell_type":
            kind = scan.value()
        elif key == "source":
            source = _source(scan, number)
        elif key == "execution_count":
            is_counted = isinstance(scan.value(), int)
        else:
            begin = scan.at
            scan.skip()
            if key == "outputs":
                failed = _STORED_ERROR.search(scan.raw, begin, scan.at) is not None
                raised = _ERROR_OUTPUT.search(scan.raw, begin, scan.at) is not None
    if kind == "code" and source is None:
        raise scan.error(f"the file is not a notebook: cell {number} has no source", start)
    return _AnyCell(kind == "code", source, failed, is_counted and not raised)


#: The name of a stored error: one that code of JAX raises, not that a run was stopped or a name is missing.
_STORED_ERROR: Final = re.compile(
    r'"(?<!\\")ename"[ \t\r\n]*:[ \t\r\n]*"'  # begins with a character to look for: outputs are long
    r'(?:(?:Type|Value|Index|Attribute|Runtime)Error|\w*(?:Tracer|Concret|KeyReuse)\w*)"'
)


_ERROR_OUTPUT: Final = re.compile(r'"(?<!\\")ename"[ \t\r\n]*:')


def _code_cells(cells: list[_AnyCell]) -> tuple[CodeCell, ...]:
    """The code cells, of which each knows whether the text right before or behind it speaks of an error."""
    texts = ["" if cell.is_code or cell.source is None else cell.source.text for cell in cells]
    around = zip(cells, ["", *texts], [*texts[1:], ""], strict=False)
    return tuple(
        cell.source._replace(is_demonstration=cell.failed or text_warns(before, behind), has_run=cell.has_run)
        for cell, before, behind in around
        if cell.is_code and cell.source is not None
    )


def _source(scan: _Scan, number: int) -> CodeCell:
    is_list = scan.peek() == "["
    start = scan.at
    literals = []
    for _ in scan.elements() if is_list else (1,):
        first, last = scan.string()
        literals.append(Literal(first, last, json.loads(scan.raw[first - 1 : last + 1])))
    return CodeCell(number, start, scan.at, tuple(literals), is_list)


def _language(metadata: Any) -> str:  # noqa: ANN401 - JSON
    """The language of the kernel, as the notebook tells it."""
    known = metadata if isinstance(metadata, dict) else {}
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        told = known.get(name)
        if isinstance(told, dict) and isinstance(told.get(key), str) and told[key]:
            language: str = told[key]
            return language.lower()
    return "python"
