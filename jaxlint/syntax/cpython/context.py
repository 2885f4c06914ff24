"""What lowering carries from node to node of `ast`: ordinals handed out in source order, and the scope being filled."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from jaxlint.syntax.cpython.text_lines import TextLines
from jaxlint.syntax.scopes import Frame, absolute_module


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


class Context:
    """The state of one lowering. `places[at]` is what the ordinal `at` stands for.

    `clocks` are the names that stand for clocks, each with its magic, which is empty where one stops.
    """

    __slots__ = (
        "class_count", "clocks", "frame", "function_count", "imports", "is_package", "lines", "name", "places",
    )  # fmt: skip

    def __init__(self, text: str, name: str, *, is_package: bool, clocks: Mapping[str, str]) -> None:
        self.lines = TextLines(text)
        self.name = name
        self.is_package = is_package
        self.clocks = clocks
        self.places: list[Place] = []
        self.frame = Frame("")
        self.imports: set[str] = set()
        self.function_count = 0
        self.class_count = 0

    def place(self, place: Place) -> int:
        """Hand out the next ordinal."""
        places = self.places
        places.append(place)
        return len(places) - 1

    def absolute(self, module: str, level: int) -> str:
        """Make a relative module name absolute."""
        return absolute_module(self.name, module, level, is_package=self.is_package)

    def start(self, node: Any) -> int:  # noqa: ANN401 - any node with a place
        """The offset at which a node starts."""
        return self.lines.offset(node.lineno, node.col_offset)

    def end(self, node: Any) -> int:  # noqa: ANN401 - any node with a place
        """The offset behind a node."""
        return self.lines.offset(node.end_lineno, node.end_col_offset)
