"""A libcst module becomes an IR module in one walk that reads semantic fields only."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from jaxlint.syntax import ir
from jaxlint.syntax.lower_context import Context, Unlowerable
from jaxlint.syntax.lower_statements import lower_body
from jaxlint.syntax.records import cst

__all__ = ["Lowered", "Unlowerable", "lower"]


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
