"""Text becomes a tree, or one reason why not: no text crashes or hangs the process."""

from __future__ import annotations

import re
from typing import Final

from jaxlint.syntax.limits import OPAQUE, refusal
from jaxlint.syntax.positions import LINE_BREAK, LineIndex
from jaxlint.syntax.records import cst, parse_records

_PARSER_ERROR: Final = re.compile(r"parser error: error at (\d+):(\d+): ")
_TOKENIZER_ERROR: Final = "tokenizer error: "
_LAST_TOKEN: Final = re.compile(r"\w+|[^\w\s]")  # of a reversed text: from its end, `\w+\Z` takes quadratic time
_TRAILING_COMMENT: Final = re.compile(r"(?:^|(?<=[\r\n]))[ \t\f]*#[^\r\n]*\Z")
_QUOTED: Final = re.compile(r"'(.)' is not a valid character")


class Unparsable(ValueError):  # noqa: N818 - it says what the text is
    """The text is not Python, at `line` and `column` from 1; or too big for the parser, if `is_limit`."""

    def __init__(self, message: str, line: int = 1, column: int = 1, *, is_limit: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.is_limit = is_limit


def parse(text: str) -> cst.Module:
    """Parse a module. Raises Unparsable."""
    null = text.find("\0")
    if null >= 0:
        raise _at(text, null, "source code cannot contain null bytes")
    reason = refusal(text)
    if reason is not None:
        raise Unparsable(reason, is_limit=True)
    try:
        return parse_records(text)
    except cst.ParserSyntaxError as error:
        raise _syntax_error(text, error.message) from None
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # a panic of the native parser is no Exception
            raise RuntimeError("the parser panicked") from None
        raise


def _at(text: str, offset: int, message: str) -> Unparsable:
    return Unparsable(message, *LineIndex(text).place(offset))


def _syntax_error(text: str, message: str) -> Unparsable:
    """Say where the error is: libcst's own line and column are those of the file's start."""
    match = _PARSER_ERROR.match(message)
    if match is not None:
        line, column = int(match.group(1)), int(match.group(2))
        return _near(text, min(len(text), LineIndex(text).starts[line - 1] + column) if line else len(text))
    detail = message.removeprefix(_TOKENIZER_ERROR)
    return _at(text, _tokenizer_offset(text, message, detail), detail.splitlines()[0])


def _near(text: str, after: int) -> Unparsable:
    """Name the token that ends before the place where the parser stopped."""
    before = text[:after].rstrip()
    while (comment := _TRAILING_COMMENT.search(before)) is not None:
        before = before[: comment.start()].rstrip()
    token = _LAST_TOKEN.match(before[::-1])
    if token is None:
        return _at(text, len(text) - len(text.lstrip()), "invalid syntax: unexpected indent")
    return _at(text, len(before) - token.end(), f"invalid syntax near `{token.group()[::-1]}`")


def _tokenizer_offset(text: str, message: str, detail: str) -> int:
    """Find the token that the tokenizer, which gives no place, refuses."""
    if "triple-quoted" in detail:
        return next((match.start() for match in OPAQUE.finditer(text) if match.group() in ('"""', "'''")), 0)
    blanked = OPAQUE.sub(lambda match: " " * len(match.group()), text)
    starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
    line = _first_bad_line(text, [*starts[1:], len(text)], message)
    start = starts[min(line, len(starts) - 1)]
    rest = LINE_BREAK.split(blanked[start:], maxsplit=1)[0]
    character = _QUOTED.match(detail)
    if character is not None and character.group(1) in rest:
        return start + rest.index(character.group(1))
    if detail.startswith("unterminated"):
        quotes = [rest.find(quote) for quote in ("'", '"') if quote in rest]
        return start + min(quotes, default=0)
    return start + len(rest) - len(rest.lstrip())


def _first_bad_line(text: str, ends: list[int], message: str) -> int:
    """Search by halves for the shortest run of lines with this error; what is cheap is that no run is ever parsed.

    Each run is followed by a sign that no Python holds: a run without the error fails at that sign.
    """
    sentinel = "?" if "'$'" in message else "$"
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high) // 2
        if _message(f"{text[: ends[middle]]}\n{sentinel}\n") == message:
            high = middle
        else:
            low = middle + 1
    return low


def _message(text: str) -> str:
    try:
        parse_records(text)
    except cst.ParserSyntaxError as error:
        return error.message
    return ""
