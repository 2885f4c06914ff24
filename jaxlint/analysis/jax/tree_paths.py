"""Trees that are taken apart by the paths of their leaves: the paths are Python's, whatever the leaves are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    STATIC,
    UNKNOWN,
    Arguments,
    Array,
    DictCell,
    Iterable,
    Leaves,
    ListCell,
    Object,
    Static,
    Tuple,
    Value,
)
from jaxlint.analysis.jax import trees
from jaxlint.analysis.python import iteration

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


def _leaves_with_path(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`tree.leaves_with_path(tree)`: pairs of a tuple of entries and a leaf."""
    tree = arguments.get(0, "tree")
    if tree is None:
        return it.unknown(f"call of `{name}`", node.at)
    pair = Tuple((Iterable("tuple", STATIC), join_all(trees.leaves(it, tree) or [UNKNOWN])))
    return it.allocate(ListCell(it.birth(node.at), None, pair))


def _flatten_with_path(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """The same, with the tree's structure."""
    structure = Static(type="treedef", ident=it.ident(node.at))
    return Tuple((_leaves_with_path(it, name, arguments, node), structure))


def _flatten_dict(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`flatten_dict(nested)`: a dict by tuples of names, or by texts."""
    tree = arguments.get(0, "xs")
    if tree is None or arguments.get(2, "is_leaf") is not None:
        return it.unknown(f"call of `{name}`", node.at)
    leaf = iteration.refresh(it, join_all(trees.leaves(it, tree) or [UNKNOWN]), iteration.picked(it))
    return it.allocate(DictCell(it.birth(node.at), {}, leaf))


def _unflatten_dict(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`unflatten_dict(flat)`: a tree of unknown structure with the same leaves."""
    flat = arguments.get(0, "xs")
    if isinstance(flat, Leaves):
        return flat
    if not isinstance(flat, Object) or not isinstance(it.cell(flat), DictCell):
        return it.unknown(f"call of `{name}`", node.at)
    leaf = join_all(trees.leaves(it, flat) or [UNKNOWN])
    if isinstance(leaf, Array):
        return Leaves(leaf.level, leaf.origin, it.ident(node.at), container=True)
    return it.unknown(f"call of `{name}`", node.at)


SPECIAL: dict[str, trees.Handler] = {
    "leaves_with_path": _leaves_with_path,
    "flatten_with_path": _flatten_with_path,
    "flatten_dict": _flatten_dict,
    "unflatten_dict": _unflatten_dict,
}
