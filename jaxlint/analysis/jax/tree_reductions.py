"""Reductions of trees: their function is called for two leaves, or for one and where the reduction starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import UNKNOWN, Arguments, Union, Value, is_none
from jaxlint.analysis.jax import trees
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


def _tree_reduce(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`tree.reduce(function, tree, initializer)`; of a tree of unknown structure, the function may meet nothing."""
    function, tree = arguments.get(0, "function"), arguments.get(1, "tree")
    if function is None or tree is None:
        return it.unknown(f"call of `{name}`", node.at)
    trees.tell(it, name, [tree], arguments, node)
    found = trees.leaves(it, tree, is_leaf=trees.leaf_test(it, arguments, node)) or [UNKNOWN]
    initial = arguments.get(2, "initializer")
    if initial is None and len(found) == 1 and trees.is_exact(it, tree):
        return found[0]
    leaf = join_all(found)
    given = Arguments([leaf if initial is None else initial, leaf], positional_at=[-1, -1])
    outer = it.frame.caveats
    if initial is None and _least_leaves(it, tree) < 2:
        it.frame.caveats = outer._replace(may_not_run=True)
    result = it.call(function, given, node)
    it.frame.caveats = outer
    return result


def _least_leaves(it: Interpreter, tree: Value, depth: int = 0) -> int:
    """How many leaves a tree has at least, each part of unknown structure being one."""
    if isinstance(tree, Union):
        return min(_least_leaves(it, atom, depth + 1) for atom in tree.atoms)
    parts = None if depth > MAX_NESTING else trees.children(it, tree)
    if parts is None:
        return 0 if is_none(tree) else 1
    return sum(_least_leaves(it, part, depth + 1) for key, part in parts if key != "*")


SPECIAL: Final[dict[str, trees.Handler]] = {"tree_reduce": _tree_reduce}
