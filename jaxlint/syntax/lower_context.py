"""What lowering libcst's tree carries from node to node, and how it refuses a node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from jaxlint.syntax.lowering import LoweringState
from jaxlint.syntax.records import cst

#: Blocks nested deeper than this are refused, as Python itself refuses 100 levels of indentation.
MAX_BLOCK_DEPTH: Final = 100


class Unlowerable(Exception):  # noqa: N818 - it is caught at the door and never shown as an error
    """A node that cannot become IR: `reason` says why, `is_limit` whether a size limit of ours is the cause.

    `offset` is where it starts in the text, as far as that is known.
    """

    def __init__(self, reason: str, node: cst.CSTNode, *, is_limit: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node
        self.is_limit = is_limit
        self.offset = 0


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


class Context(LoweringState):
    """The state of one lowering: each ordinal stands for a libcst node."""

    __slots__ = ("block_depth",)

    def __init__(self, name: str, *, is_package: bool, clocks: Mapping[str, str]) -> None:
        super().__init__(name, is_package=is_package, clocks=clocks)
        self.block_depth = 0
