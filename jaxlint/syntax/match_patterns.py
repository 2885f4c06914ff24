"""The patterns of `match`, as nodes of the intermediate representation."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

from jaxlint.syntax.node import Node

if TYPE_CHECKING:
    from jaxlint.syntax.ir import Expr


class MatchValue(Node):
    """`case 1:`, `case Color.RED:`, `case None:`."""

    value: Expr
    at: int


class MatchCapture(Node):
    """`case name:` and `case pattern as name:`; the wildcard has neither name nor pattern."""

    pattern: Pattern | None
    name: str | None
    at: int


class MatchStar(Node):
    """`*rest` in a sequence pattern, `**rest` in a mapping pattern."""

    name: str | None
    at: int


class MatchSequence(Node):
    """`case [a, b, *rest]:`."""

    patterns: tuple[Pattern, ...]
    at: int


class MatchMapping(Node):
    """`case {"k": p, **rest}:`; `rest` is the last pattern, with the key None."""

    items: tuple[tuple[Expr | None, Pattern], ...]
    at: int


class MatchClass(Node):
    """`case Cls(p, name=p):`."""

    cls: Expr
    patterns: tuple[Pattern, ...]
    keywords: tuple[tuple[str, Pattern], ...]
    at: int


class MatchOr(Node):
    """`case a | b:`."""

    patterns: tuple[Pattern, ...]
    at: int


Pattern: TypeAlias = Union[MatchValue, MatchCapture, MatchStar, MatchSequence, MatchMapping, MatchClass, MatchOr]
