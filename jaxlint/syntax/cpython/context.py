"""What lowering carries from node to node of `ast`, what an ordinal may stand for, and how a text is refused."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from jaxlint.syntax.cpython.text_lines import TextLines
from jaxlint.syntax.lowering import LoweringState


class Unsupported(Exception):  # noqa: N818 - it asks for the other front end, and is never shown
    """Something that this front end does not read, or not for sure as libcst does."""


class Extent(NamedTuple):
    """A place that no node of `ast` gives: start and end in the text."""

    start: int
    end: int


class Rest(NamedTuple):
    """The place of the name behind `**` in a mapping pattern."""

    pattern: ast.MatchMapping


#: What an ordinal's span is found by.
Place: TypeAlias = ast.AST | Extent | Rest


class Table(dict[type[ast.AST], Callable[..., Any]]):
    """Handlers by node class; a class that it does not hold is syntax newer than this version knows."""

    def __missing__(self, cls: type[ast.AST]) -> Callable[..., Any]:
        raise Unsupported(cls.__name__)


class Context(LoweringState):
    """The state of one lowering: each ordinal stands for a `Place`."""

    __slots__ = ("lines",)

    def __init__(self, text: str, name: str, *, is_package: bool, clocks: Mapping[str, str]) -> None:
        super().__init__(name, is_package=is_package, clocks=clocks)
        self.lines = TextLines(text)

    def start(self, node: Any) -> int:  # noqa: ANN401 - any node with a place
        """The offset at which a node starts."""
        return self.lines.offset(node.lineno, node.col_offset)

    def end(self, node: Any) -> int:  # noqa: ANN401 - any node with a place
        """The offset behind a node."""
        return self.lines.offset(node.end_lineno, node.end_col_offset)
