"""The text of a document in the units of its client: lines from 0, and columns in UTF-8, UTF-16 or UTF-32."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from lsprotocol import types

from jaxlint.diagnostics import Span
from jaxlint.syntax.positions import LINE_BREAK, LineIndex

UTF8: Final = types.PositionEncodingKind.Utf8
UTF16: Final = types.PositionEncodingKind.Utf16
UTF32: Final = types.PositionEncodingKind.Utf32
#: A byte order mark that a client left in the text is no part of the code, and takes a column of the first line.
_MARK: Final = "\ufeff"


def units(text: str, encoding: str) -> int:
    """The length of a text in code units of an encoding."""
    if encoding == UTF32 or text.isascii():
        return len(text)
    if encoding == UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def points(text: str, count: int, encoding: str) -> int:
    """How many code points of a text `count` code units are; one that would be cut in two is left out."""
    if encoding == UTF32 or text.isascii():
        return min(count, len(text))
    used = 0
    for index, character in enumerate(text):
        used += units(character, encoding)
        if used > count:
            return index
    return len(text)


@dataclass(slots=True, eq=False)
class Text:
    """An unchanging text with its lines. `code` is what is analysed: the text without a byte order mark."""

    whole: str
    encoding: str
    lines: LineIndex = field(init=False)

    def __post_init__(self) -> None:
        self.lines = LineIndex(self.whole)

    @property
    def code(self) -> str:
        """The text as the front end sees it."""
        return self.whole.removeprefix(_MARK)

    @property
    def shift(self) -> int:
        """How many code points of the text stand before the code."""
        return len(self.whole) - len(self.code)

    def line(self, number: int) -> str:
        """The line with this number, from 0, without its end; empty behind the last."""
        starts = self.lines.starts
        if not 0 <= number < len(starts):
            return ""
        start = starts[number]
        if number + 1 == len(starts):
            return self.whole[start:]
        return LINE_BREAK.sub("", self.whole[start : starts[number + 1]])

    def offset(self, position: types.Position) -> int:
        """The index in the text of a client's position; one behind the end of a line means that end."""
        starts = self.lines.starts
        if position.line >= len(starts):
            return len(self.whole)
        return starts[position.line] + points(self.line(position.line), position.character, self.encoding)

    def position(self, line: int, column: int) -> types.Position:
        """The client's position of a line and column of the code, both from 1, in code points."""
        if line == 1:
            column += self.shift
        before = self.line(line - 1)[: column - 1]
        return types.Position(line - 1, units(before, self.encoding))

    def place(self, position: types.Position) -> tuple[int, int]:
        """Line and column in the code, from 1, of a client's position."""
        column = points(self.line(position.line), position.character, self.encoding) + 1
        return position.line + 1, max(1, column - self.shift) if position.line == 0 else column

    def range(self, span: Span) -> types.Range:
        """The client's range of a span of the code."""
        return types.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def changed(self, changes: list[types.TextDocumentContentChangeEvent]) -> Text:
        """The text after these changes, each of which knows the text after those before it."""
        text = self
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = text.offset(change.range.start), text.offset(change.range.end)
                text = Text(text.whole[:start] + change.text + text.whole[max(start, end) :], self.encoding)
            else:
                text = Text(change.text, self.encoding)
        return text
