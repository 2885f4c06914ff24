"""Text becomes a libcst module, or one reason why not: no text crashes or hangs the process."""

from __future__ import annotations

import re
from typing import Final

import libcst as cst

_POSITION: Final = re.compile(r"(?:parser error: )?error at (\d+):(\d+): ")


class Unparsable(ValueError):
    """The text is not Python, at `line` and `column` from 1; or too big for the parser, if `is_limit`."""

    def __init__(self, message: str, line: int, column: int, *, is_limit: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.is_limit = is_limit


def parse(text: str) -> cst.Module:
    """Parse a module. Raises Unparsable."""
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise _syntax_error(text, error) from None


def _syntax_error(text: str, error: cst.ParserSyntaxError) -> Unparsable:
    return Unparsable(str(error.message), error.raw_line, error.raw_column + 1)
