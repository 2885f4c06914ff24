"""Comments as fixes need them: what stands in a range that is to be written again."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.fixes.code import Code
from jaxlint.syntax.positions import lines_of


def comments(code: Code, start: int, end: int) -> Iterator[str]:
    """The comments between two offsets, each with its `#` to the end of its line."""
    while start < end:
        first, last = code.token_from(start)
        for line in lines_of(code.text[start : min(first, end)]):
            text = line.partition("#")
            if text[1]:
                yield "#" + text[2].rstrip()
        start = max(last, start + 1)


def keeps_comments(code: Code, start: int, end: int, text: str) -> bool:
    """Whether a text that takes the place of a range holds its comments."""
    return all(comment in text for comment in comments(code, start, end))
