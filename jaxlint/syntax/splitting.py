"""A text is cut into statements that can be parsed alone: those of the module, and those of its classes' bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jaxlint.syntax.limits import OPAQUE

#: A line that begins a statement if it stands outside brackets and strings: not blank, no comment, no closing bracket.
#: Form feeds are no indentation.
_START: Final = re.compile(r"\n\f*[^\s#)\]}]")
_FIRST: Final = re.compile(r"\f*[^\s#)\]}]")
_MEMBER: Final = re.compile(r"\n(\f*[ \t]+)[^\s#)\]}]")
#: What goes on with the statement above it.
_CLAUSE: Final = re.compile(r"(?:else|elif|except|finally)\b")
_CLASS: Final = re.compile(r"class[ \t]+(\w+)")
_HEADER_END: Final = re.compile(r":[ \t\f]*\r?\n")
_JOINED: Final = re.compile(r"\\\r?\n")
#: Lines with nothing but a backslash: what the next one is indented by is then a matter of the lines above.
_LONE: Final = re.compile(r"^(?:[ \t\f]*\\\r?\n)+[ \t]*", re.MULTILINE)
_LINE: Final = re.compile(r"[^\r\n]+")


class Extent(NamedTuple):
    """A statement's text from `start` to `end`, without what follows it on lines of its own.

    `owner` is the name of the class whose body it stands in, if any; `is_header` tells of a class whose body's
    statements follow as extents of their own.
    """

    start: int
    end: int
    owner: str = ""
    is_header: bool = False


def split(text: str) -> Iterator[Extent]:
    """Cut a module into its statements, in order. Any text can be cut; what cannot be parsed is for others to say.

    What stands between them is blank or a comment.
    """
    code = _code(text)
    for start, end in _statements(code, 0, len(code), ""):
        yield from _parts(code, start, end)


def _code(text: str) -> str:
    """The text with strings and comments filled up: what is left of them is how long they are, and their line ends."""
    pieces = OPAQUE.split(text)
    pieces[1::2] = [
        " " * len(found) if found[0] == "#" else "_" * len(found) if "\n" not in found else _filled(found)
        for found in pieces[1::2]
    ]
    return "".join(pieces)


def _filled(string: str) -> str:
    """A string over several lines, none of which begins a statement but the first."""
    return "_" + _LINE.sub(lambda match: "#" * len(match.group()), string[1:])


def _statements(code: str, low: int, high: int, indentation: str) -> Iterator[tuple[int, int]]:
    """The statements of a block, each from the start of its line to the end of its code."""
    starts = list(_starts(code, low, high, indentation))
    odd = code[low : starts[0] if starts else high]
    if starts and _LONE.match(odd.lstrip()):
        starts[0] = low + len(odd) - len(odd.lstrip())
    elif odd.strip():
        starts.insert(0, low + len(odd) - len(odd.lstrip(" \r\n\f\t")))  # it is no Python
        starts[0] = max(low, code.rfind("\n", low, starts[0]) + 1)
    for start, end in zip(starts, [*starts, high][1:], strict=True):
        piece = code[start:end].rstrip()
        yield start, end if piece.endswith("\\") else start + len(piece)


def _starts(code: str, low: int, high: int, indentation: str) -> Iterator[int]:
    """Where statements start: lines of this indentation outside brackets that do not go on with the one above."""
    pattern = re.compile(rf"\n{indentation}[^\s#)\]}}]") if indentation else _START
    depth, seen, is_decorated, is_first = 0, low, False, True
    for at in _lines(pattern, code, low, high, indentation):
        depth = max(0, depth + _depth(code, seen, at))
        seen = at
        first = _past_feeds(code, at + len(indentation))
        if depth or _JOINED.match(code, max(low, at - 2 - (code[at - 2 : at - 1] == "\r"))):
            continue
        lone = _LONE.match(code, at)
        first = _past_feeds(code, lone.end()) if lone else first
        goes_on = is_decorated or (not is_first and bool(lone or _CLAUSE.match(code, first)))
        is_decorated = code.startswith("@", first)
        is_first = False
        if not goes_on:
            yield at


def _lines(pattern: re.Pattern[str], code: str, low: int, high: int, indentation: str) -> Iterator[int]:
    """Where the lines start that may begin a statement; the first of a text has no line end before it."""
    if low == 0 and not indentation and _FIRST.match(code):
        yield 0
    for match in pattern.finditer(code, max(0, low - 1), high):
        yield match.start() + 1


def _past_feeds(code: str, at: int) -> int:
    """Where the first character that is no form feed stands."""
    while code.startswith("\f", at):
        at += 1
    return at


def _depth(code: str, start: int, end: int) -> int:
    """How many more brackets are opened than closed."""
    count = code.count
    opened = count("(", start, end) + count("[", start, end) + count("{", start, end)
    return opened - count(")", start, end) - count("]", start, end) - count("}", start, end)


def _parts(code: str, start: int, end: int) -> Iterator[Extent]:
    """A statement as one extent; a class whose body stands below it, as several."""
    header = _CLASS.match(code, _after_decorators(code, start, end))
    body = None if header is None else _body(code, header.end(), end)
    if header is None or body is None or _LONE.search(code, start, end):
        yield Extent(start, end)
        return
    header_end, indentation = body
    yield Extent(start, header_end, is_header=True)
    for low, high in _statements(code, header_end, end, indentation):
        yield Extent(low, high, owner=header[1])


def _after_decorators(code: str, start: int, end: int) -> int:
    at = _past_feeds(code, start)
    while code[at] == "@":
        starts = (_past_feeds(code, match.start() + 1) for match in _START.finditer(code, at, end))
        following = next((found for found in starts if not _depth(code, at, found)), at)
        if following == at:
            return at
        at = following
    return at


def _body(code: str, at: int, end: int) -> tuple[int, str] | None:
    """Where the header of a class ends and how its body is indented; None where its body is not below it."""
    for match in _HEADER_END.finditer(code, at, end):
        if not _depth(code, at, match.start()):
            first = _MEMBER.search(code, match.end() - 1, end)
            return None if first is None else (match.start() + 1, first[1])
    return None
