"""Places of `ast`, which are lines and UTF-8 bytes, as offsets into the text, in code points."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from jaxlint.syntax.positions import LINE_BREAK


class TextLines:
    """A text whose lines are found when they are first asked for. Each lookup takes constant time.

    Lines count from the piece of the text that was begun last.
    """

    __slots__ = ("_above", "_is_ascii", "_offsets", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._is_ascii = text.isascii()
        self._starts: list[int] = []
        self._offsets: dict[int, array[int]] = {}
        self._above = 0

    def begin(self, start: int) -> None:
        """Count lines from the one that starts at an offset."""
        self._above = bisect_right(self.starts, start) - 1 if start else 0

    @property
    def starts(self) -> list[int]:
        """Where each line starts."""
        if not self._starts:
            self._starts = [0, *(match.end() for match in LINE_BREAK.finditer(self.text))]
        return self._starts

    def offset(self, line: int, column: int) -> int:
        """The offset of a byte `column`, from 0, of a `line`, from 1."""
        line += self._above
        start = self.starts[line - 1]
        if self._is_ascii:
            return start + column
        if line not in self._offsets:
            self._offsets[line] = self._of_bytes(line)
        offsets = self._offsets[line]
        return start + (offsets[column] if offsets else column)

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self.starts, offset) - self._above

    def _of_bytes(self, line: int) -> array[int]:
        """For each byte of a line, from 1 in the whole text, the number of code points before it.

        Empty where that is the byte's own number.
        """
        starts = self.starts
        content = self.text[starts[line - 1] : starts[line] if line < len(starts) else len(self.text)]
        if content.isascii():
            return array("I")
        offsets = array("I")
        for index, character in enumerate(content):
            offsets.extend([index] * len(character.encode()))
        offsets.append(len(content))
        return offsets
