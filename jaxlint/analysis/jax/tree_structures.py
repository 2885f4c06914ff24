"""Whether the structures of trees fit each other, and trees whose leaves were meant to be tuples.

Under-approximates: two trees differ where both are known and what stands there cannot be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import AttributeOf, Ident
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    Iterable,
    Key,
    Object,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    is_none,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.pytrees import Difference, ShapeLeaves, TreeMismatch
from jaxlint.analysis.jax.tree_nodes import Node, node_of
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: The types of leaves that are no containers.
_NUMBERS = frozenset({"int", "float", "bool", "complex", "str"})


def tell(it: Interpreter, name: str, trees: Sequence[Operand], at: int) -> None:
    """Tell the rules of trees that a call goes through, no container of theirs being a leaf, and that do not fit."""
    if not trees:
        return
    first, *rest = trees
    made_at = _made_of_shapes(it, first.value)
    if made_at is not None and not rest:
        it.emit(ShapeLeaves(it.frame, at, name, first, made_at))
    for other in rest:
        found = difference(it, first.value, other.value)
        if found is not None:
            it.emit(TreeMismatch(it.frame, at, name, first, other, found))
            if made_at is not None:
                it.emit(ShapeLeaves(it.frame, at, name, first, made_at))
            return


def difference(it: Interpreter, tree: Value, other: Value, path: str = "", depth: int = 0) -> Difference | None:
    """Where a tree surely has a container and another one something else; None stands for trees that may fit."""
    if isinstance(tree, Union) or isinstance(other, Union) or depth > MAX_NESTING:
        return None
    node = node_of(it, tree)
    if node is None or is_none(other):
        return None
    facing = node_of(it, other)
    if facing is None:
        return Difference(path, node.what, "a leaf") if _is_leaf(it, other) else None
    if not node.is_like(facing):
        return Difference(path, node.what, facing.what)
    if not (node.is_whole and facing.is_whole):
        return None
    if node.parts.keys() != facing.parts.keys():
        return Difference(path, *_sizes(node, facing))
    parts = (difference(it, part, facing.parts[step], path + step, depth + 1) for step, part in node.parts.items())
    return next((found for found in parts if found is not None), None)


def _sizes(node: Node, facing: Node) -> tuple[str, str]:
    """How two containers of one kind differ: in keys that only one has, or in length."""
    if node.kind != "dict":
        return f"{node.what} of {len(node.parts)}", f"{facing.what} of {len(facing.parts)}"
    lacking = next((step for step in node.parts if step not in facing.parts), None)
    if lacking is not None:
        return f"the key `{lacking[1:-1]}`", "none"
    more = next(step for step in facing.parts if step not in node.parts)
    return f"no key `{more[1:-1]}`", "one"


def _is_leaf(it: Interpreter, value: Atom) -> bool:
    return isinstance(value, Array | Key) or (isinstance(value, Static) and value.type in _NUMBERS)


# --- shapes


@dataclass(slots=True)
class ShapeTrees(Table):
    """Where trees of shapes were made, by the serial number of the object or the identity of the tuple."""

    made_at: dict[int | Ident, Place] = field(default_factory=dict)


def note_shapes(it: Interpreter, tree: Value, leaf: Value, at: int) -> Value:
    """A tree was made by a function that returned `leaf` for each leaf: where that is a shape, take note of it."""
    if not _is_shape(leaf):
        return tree
    made_at = it.tables[ShapeTrees].made_at
    match tree:
        case Object(oid=oid):
            made_at[oid] = it.place(at)
        case Unknown():
            tree = replace(tree, ident=it.ident(at))
            made_at[tree.ident] = it.place(at)
    return tree


def _is_shape(leaf: Value) -> bool:
    """Whether a value is a tuple of whole numbers, or the shape of what is not known."""
    match leaf:
        case Union(atoms=atoms):
            return all(map(_is_shape, atoms))
        case Iterable(kind="tuple", element=element):
            return _is_integer(element)
        case Tuple(cls=None, elements=elements):
            return bool(elements) and all(map(_is_integer, elements))
        case Unknown(ident=AttributeOf(name="shape")):
            return True
        case _:
            return False


def _is_integer(value: Value) -> bool:
    return isinstance(value, Static) and value.type == "int"


def _made_of_shapes(it: Interpreter, tree: Value) -> Place | None:
    """Where a tree of shapes was made; None for other trees."""
    key = tree.oid if isinstance(tree, Object) else getattr(tree, "ident", None)
    return None if key is None else it.tables[ShapeTrees].made_at.get(key)
