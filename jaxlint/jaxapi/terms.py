"""The small grammar of table cells: `head` or `head(arg,...)`, nested."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Term(NamedTuple):
    """`tuple(array,same(x))` is `Term("tuple", (Term("array"), Term("same", (Term("x"),))))`."""

    head: str
    args: tuple[Term, ...] = ()

    @property
    def first(self) -> str:
        """The head of the first argument, or the empty string: the parameter's name in `same(x)`."""
        return self.args[0].head if self.args else ""

    def __str__(self) -> str:
        return f"{self.head}({','.join(map(str, self.args))})" if self.args else self.head


#: What an empty cell says: nothing is known.
UNKNOWN = Term("unknown")


@lru_cache(maxsize=4096)
def parse_term(text: str) -> Term:
    """Parse one cell; an empty one is UNKNOWN.

    Raises:
        ValueError: Brackets do not match.
    """
    if not text:
        return UNKNOWN
    head, bracket, rest = text.partition("(")
    if not bracket:
        if ")" in head or "," in head:
            raise ValueError(f"not a term: {text!r}")
        return Term(head)
    if not rest.endswith(")"):
        raise ValueError(f"unclosed bracket in {text!r}")
    return Term(head, tuple(parse_term(part) for part in split_top_level(rest[:-1])))


def split_top_level(text: str, separator: str = ",") -> list[str]:
    """Split at separators that stand outside all brackets; no text gives no parts."""
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]] if text else parts
