"""A libcst module becomes an IR module in one walk that reads semantic fields only."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import repeat
from types import MappingProxyType
from typing import Final, NamedTuple

from jaxlint.syntax import ir
from jaxlint.syntax.lower_context import Context, Unlowerable
from jaxlint.syntax.lower_statements import lower_body
from jaxlint.syntax.parse import Unparsable, parse
from jaxlint.syntax.pieces import pieces
from jaxlint.syntax.positions import PositionTable, compute_positions
from jaxlint.syntax.records import cst

__all__ = ["Lowered", "Unlowerable", "lower", "lower_text"]

#: The least length of what is parsed at once, in code points: a tree takes a thousand times as much.
LEAST_PIECE: Final = 1 << 15


class Lowered(NamedTuple):
    """An IR module with the tree it came from, and for each ordinal its libcst node."""

    module: ir.Module
    tree: cst.Module
    nodes: list[cst.CSTNode]


def lower(
    tree: cst.Module, name: str, *, is_package: bool, clocks: Mapping[str, str] = MappingProxyType({})
) -> Lowered:
    """Lower a module known as `name`. `clocks` are names that stand for clocks of IPython. Raises Unlowerable."""
    cx = Context(name, is_package=is_package, clocks=clocks)
    return Lowered(cx.module(lower_body(cx, tree.body)), tree, cx.places)


def lower_text(
    text: str,
    name: str,
    *,
    is_package: bool,
    clocks: Mapping[str, str] = MappingProxyType({}),
    want_positions: bool = True,
) -> tuple[ir.Module, PositionTable | None]:
    """Parse and lower a text in pieces, with the positions of its nodes. Raises Unparsable and Unlowerable."""
    cx = Context(name, is_package=is_package, clocks=clocks)
    body: list[ir.Stmt] = []
    starts, ends = array("I"), array("I")
    for tree, start, end in pieces(text, LEAST_PIECE, parse, Unparsable):
        before = len(cx.places)
        try:
            block = lower_body(cx, tree.body)
        except Unlowerable as error:
            error.offset = start + _offset(text[start:end], tree, error.node)
            raise
        if want_positions:
            found = compute_positions(text[start:end], Lowered(cx.module(block), tree, cx.places[before:]))
            starts.extend([start + offset for offset in found.starts])
            ends.extend([start + offset for offset in found.ends])
        cx.places[before:] = repeat(None, len(cx.places) - before)  # the places hold the tree
        body += block
    return cx.module(tuple(body)), PositionTable(starts, ends) if want_positions else None


def _offset(text: str, tree: cst.Module, node: cst.CSTNode) -> int:
    """Where a node starts."""
    from jaxlint.syntax.extents import offsets

    try:
        return offsets(text, tree, [node], {})[id(node)][0]
    except RecursionError:
        return 0
