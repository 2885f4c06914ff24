"""Whether the structures of trees fit each other, and trees whose leaves were meant to be tuples.

Under-approximates: two trees differ where both are known and what stands there cannot be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import AttributeOf, Ident
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    DictCell,
    InstanceCell,
    Iterable,
    Key,
    ListCell,
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
from jaxlint.analysis.machine.levels import MAX_NESTING
from jaxlint.analysis.machine.run_facts import OrderedMappings
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: The types of leaves that are no containers.
_NUMBERS = frozenset({"int", "float", "bool", "complex", "str"})


class _Node(NamedTuple):
    """One container: what it is, as a message says it, and its parts by key; `parts` None: not all of them are known.

    `identity` tells classes of one name apart.
    """

    what: str
    parts: dict[Any, Value] | None
    identity: int = 0


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


def difference(it: Interpreter, tree: Value, other: Value, path: tuple[Any, ...] = ()) -> Difference | None:
    """Where a tree surely has a container and another one something else; None stands for trees that may fit."""
    if isinstance(tree, Union) or isinstance(other, Union) or len(path) > MAX_NESTING:
        return None
    node = _node(it, tree)
    if node is None or is_none(other):
        return None
    facing = _node(it, other)
    if facing is None:
        return Difference(path, node.what, "a leaf") if _is_leaf(it, other) else None
    if (node.what, node.identity) != (facing.what, facing.identity):
        return Difference(path, node.what, facing.what)
    if node.parts is None or facing.parts is None:
        return None
    if node.parts.keys() != facing.parts.keys():
        return Difference(path, *_sizes(node, facing))
    parts = (difference(it, part, facing.parts[key], (*path, key)) for key, part in node.parts.items())
    return next((found for found in parts if found is not None), None)


def _sizes(node: _Node, facing: _Node) -> tuple[str, str]:
    """How two containers of one kind differ: in keys that only one has, or in length."""
    assert node.parts is not None
    assert facing.parts is not None
    if node.what != "a dict":
        return f"{node.what} of {len(node.parts)}", f"{facing.what} of {len(facing.parts)}"
    lacking = next((key for key in node.parts if key not in facing.parts), None)
    if lacking is not None:
        return f"the key `{lacking!r}`", "none"
    more = next(key for key in facing.parts if key not in node.parts)
    return f"no key `{more!r}`", "one"


def _node(it: Interpreter, tree: Atom) -> _Node | None:
    """The container that a value is; None for leaves, and for what may be either."""
    if isinstance(tree, Tuple):
        name = "a tuple" if tree.cls is None else f"`{tree.cls.name}`"
        if tree.names and tree.cls is None:
            return None  # a record of a library
        return _Node(name, dict(enumerate(tree.elements)), 0 if tree.cls is None else id(tree.cls.cls))
    if isinstance(tree, Iterable) and tree.kind == "tuple":
        return _Node("a tuple", None)
    return _of_cell(it, it.cell(tree)) if isinstance(tree, Object) else None


def _of_cell(it: Interpreter, cell: Any) -> _Node | None:
    match cell:
        case ListCell(elements=elements):
            return _Node("a list", None if elements is None else dict(enumerate(elements)))
        case DictCell(items=items, rest=rest):
            is_plain = (cell.birth.path, cell.birth.at) not in it.tables[OrderedMappings].made_at
            return _Node("a dict", items if rest is None else None) if is_plain else None
        case InstanceCell(cls=cls, attributes=attributes) if cls.kind == "pytree" and not cell.open:
            static, known = class_fields.statics(cls), class_fields.fields(cls)
            parts = {name: attributes[name] for name in known if name in attributes and name not in static}
            return _Node(f"`{cls.name}`", parts, id(cls.cls))
        case _:
            return None


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
