"""What lowering carries from node to node: ordinals handed out in source order, and the scope being filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from jaxlint.syntax.records import cst
from jaxlint.syntax.scopes import Frame, absolute_module

#: Blocks nested deeper than this are refused, as Python itself refuses 100 levels of indentation.
MAX_BLOCK_DEPTH: Final = 100


class Unlowerable(Exception):  # noqa: N818 - it is caught at the door and never shown as an error
    """A node that cannot become IR: `reason` says why, `is_limit` whether a size limit of ours is the cause."""

    def __init__(self, reason: str, node: cst.CSTNode, *, is_limit: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node
        self.is_limit = is_limit


class Table(dict[type[cst.CSTNode], Callable[..., Any]]):
    """Handlers by node class; a class that it does not hold is syntax newer than this version knows."""

    def __missing__(self, cls: type[cst.CSTNode]) -> Callable[..., Any]:
        def refuse(_: Context, node: cst.CSTNode) -> None:
            raise Unlowerable(f"the syntax of {cls.__name__} is not known to this version", node, is_limit=False)

        return refuse

    def add_optional(self, names: Iterable[str], handler: Callable[..., Any]) -> None:
        """Register node classes that only some versions of libcst have."""
        for name in names:
            cls = getattr(cst, name, None)
            if cls is not None:
                self[cls] = handler


class Context:
    """The state of one lowering. `nodes[at]` is the libcst node whose span the ordinal `at` stands for.

    `clocks` are the names that stand for clocks, each with its magic, which is empty where one stops.
    """

    __slots__ = (
        "block_depth", "class_count", "clocks", "frame", "function_count", "imports", "is_package", "name", "nodes",
    )  # fmt: skip

    def __init__(self, name: str, *, is_package: bool, clocks: Mapping[str, str]) -> None:
        self.name = name
        self.is_package = is_package
        self.clocks = clocks
        self.nodes: list[cst.CSTNode] = []
        self.frame = Frame("")
        self.imports: set[str] = set()
        self.function_count = 0
        self.class_count = 0
        self.block_depth = 0

    def place(self, node: cst.CSTNode) -> int:
        """Hand out the next ordinal, for the span of `node`."""
        nodes = self.nodes
        nodes.append(node)
        return len(nodes) - 1

    def absolute(self, module: str, level: int) -> str:
        """Make a relative module name absolute."""
        return absolute_module(self.name, module, level, is_package=self.is_package)
