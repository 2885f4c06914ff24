"""Comments that may silence a finding, and the lines that each belongs to; what they say is for others to read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jaxlint.syntax.limits import OPAQUE

_MENTION: Final = re.compile(r"#\s*jaxlint\s*:|#[^\r\n]*\bnoqa\b", re.IGNORECASE)
_RELEVANT: Final = re.compile(r"#+\s*jaxlint\s*:|#.*\bnoqa\b", re.IGNORECASE)
#: What decides where logical lines end: strings and comments, brackets, joined and plain line ends.
MARK: Final = re.compile(OPAQUE.pattern + r"|([(\[{])|([)\]}])|\\(?:\r\n?|\n)|(\r\n?|\n)", re.DOTALL)
_TAB: Final = 8


class Comment(NamedTuple):
    """A `# jaxlint:` or `# noqa` comment. Lines count from 1, columns too; `text` starts at the `#`.

    `first_line` and `last_line` bound the logical line that it belongs to: for a compound statement its header,
    for a comment alone on its line the next logical line, with all decorators and the `def` or `class` below them;
    both are 0 where nothing follows. `indentation` is in columns, from 0. `block_end` is the last line of
    the block around a comment that stands alone, and 0 for others. `file_first` and `file_last` bound the file, or
    what counts as one: a cell.
    """

    text: str
    offset: int
    line: int
    column: int
    is_own_line: bool
    first_line: int
    last_line: int
    indentation: int
    block_end: int
    file_first: int = 1
    file_last: int = 2**31


class LogicalLine(NamedTuple):
    """A statement's line or a compound statement's header: physical lines from 1, the columns before it, its text.

    `has_comment` tells of a comment behind its last physical line.
    """

    first: int
    last: int
    indentation: int
    start: str
    has_comment: bool = False


class _Raw(NamedTuple):
    """A comment as it is met: its place, and whether it stands alone outside brackets."""

    text: str
    offset: int
    line: int
    line_start: int
    is_own_line: bool


def scan_comments(text: str) -> tuple[Comment, ...]:
    """Find the comments that may silence something, in order; a file that mentions none is not scanned."""
    if _MENTION.search(text) is None:
        return ()
    scan = _Scan(text)
    found = [raw for raw in scan.comments if _RELEVANT.match(raw.text)]
    return tuple(_comment(text, raw, scan) for raw in found)


def shifted(comment: Comment, offset: int, lines: int, *, last_line: int) -> Comment:
    """A comment of a text that is part of a longer one, and a file of its own, whose last line is told."""
    bounds = (comment.first_line, comment.last_line, comment.block_end)
    first, last, end = (line + lines if line else 0 for line in bounds)
    return comment._replace(
        offset=comment.offset + offset, line=comment.line + lines, first_line=first, last_line=last, block_end=end,
        file_first=1 + lines, file_last=last_line,
    )  # fmt: skip


def logical_lines(text: str) -> list[LogicalLine]:
    """The logical lines of a text, in order."""
    return _Scan(text).lines


class _Scan:
    """One pass over the text: its comments and its logical lines."""

    __slots__ = ("comments", "last_line", "lines")

    def __init__(self, text: str) -> None:
        self.comments: list[_Raw] = []
        self.lines: list[LogicalLine] = []
        depth = 0
        line = 1
        line_start = 0  # of the physical line
        open_line: tuple[int, int] | None = None  # number and offset of the first physical line of the logical one
        for match in MARK.finditer(text):
            opaque, opener, closer, end = match.groups()
            start = match.start()
            is_first = open_line is None and not text[line_start:start].strip()
            if opaque is not None and opaque[0] == "#":
                is_alone = not text[line_start:start].strip()
                self.comments.append(_Raw(opaque, start, line, line_start, is_alone and open_line is None))
                continue
            if open_line is None and not (is_first and end is not None):
                open_line = (line, line_start)
            if opener is not None:
                depth += 1
            elif closer is not None:
                depth = max(0, depth - 1)
            elif end is not None and depth == 0 and open_line is not None:
                self._close(text, open_line, line)
                open_line = None
            breaks = _line_breaks(match.group())
            if breaks:
                line += breaks
                line_start = match.end() if opaque is None else line_start
        if open_line is None and text[line_start:].strip() and not text[line_start:].lstrip().startswith("#"):
            open_line = (line, line_start)
        if open_line is not None:
            self._close(text, open_line, line)
        self.last_line = line

    def _close(self, text: str, opened: tuple[int, int], last: int) -> None:
        first, offset = opened
        body = text[offset : offset + 200]
        stripped = body.lstrip(" \t\f")
        indentation = len(body[: len(body) - len(stripped)].expandtabs(_TAB))
        has_comment = bool(self.comments) and self.comments[-1].line == last
        self.lines.append(LogicalLine(first, last, indentation, stripped, has_comment))


def _line_breaks(token: str) -> int:
    if "\r" in token:
        return len(re.findall(r"\r\n?|\n", token))
    return token.count("\n")


def _comment(text: str, raw: _Raw, scan: _Scan) -> Comment:
    column = raw.offset - raw.line_start + 1
    before = text[raw.line_start : raw.offset]
    indentation = len(before[: len(before) - len(before.lstrip(" \t\f"))].expandtabs(_TAB))
    if not raw.is_own_line:
        first, last = next(((x.first, x.last) for x in scan.lines if x.first <= raw.line <= x.last), (raw.line,) * 2)
        return Comment(raw.text, raw.offset, raw.line, column, False, first, last, indentation, 0)
    following = [line for line in scan.lines if line.first > raw.line]
    first, last = _decorated(iter(following))
    return Comment(
        raw.text, raw.offset, raw.line, column, True, first, last, indentation,
        _block_end(following, indentation, raw.line, scan.last_line),
    )  # fmt: skip


def _decorated(following: Iterator[LogicalLine]) -> tuple[int, int]:
    """Return the extent of the next logical line, from its first decorator to the header below the last."""
    first = 0
    for line in following:
        first = first or line.first
        if not line.start.startswith("@"):
            return first, line.last
    return (first, first) if first else (0, 0)


def _block_end(following: list[LogicalLine], indentation: int, line: int, last_line: int) -> int:
    """Return the last line before the code dedents past the comment; at the left margin, of the file."""
    if indentation == 0:
        return last_line
    end = line
    for logical in following:
        if logical.indentation < indentation:
            return end
        end = logical.last
    return end
