"""Whether two trees of arrays differ in structure, shape or dtype, as far as that is known of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    Dim,
    Shape,
    Static,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.jax.tree_nodes import Node, node_of
from jaxlint.analysis.machine.levels import NUMBERS
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class Difference(NamedTuple):
    """Where two trees differ, as the text that leads there, and what each of them holds."""

    part: str
    was: str
    becomes: str
    assumed: bool = False


#: Classes of dtypes, from narrow to wide: a number that gives way becomes the wider one.
_FAMILIES: Final = {"bool": 0, "uint": 1, "int": 1, "bfloat": 2, "float": 2, "complex": 3}
#: Dtypes that are told apart within a class, and that no setting changes into another.
_EXACT: Final = frozenset({"bfloat16", "float16", "float32", "int8", "int16", "int32", "uint8", "uint16", "uint32"})


def dims(shape: Shape) -> str:
    """A shape as JAX writes it; lengths that are not known as `?`."""
    text = ", ".join("?" if dim is None else str(dim) for dim in shape or ())
    return f"({text},)" if shape is not None and len(shape) == 1 else f"({text})"


class Comparison:
    """One comparison of two trees.

    `is_loop`: the first is the carry that a loop's body gets, of which numbers that give way are made what the body
    returns; JAX traces the body again with them, so that the dtypes of the other parts may be others then.
    """

    def __init__(self, it: Interpreter, *, is_loop: bool) -> None:
        self.it, self.is_loop = it, is_loop
        self.is_promoted = False

    def difference(self, was: Value, becomes: Value) -> Difference | None:
        """The first difference that there surely is."""
        structural = self._compare(was, becomes, "", 0, dtypes=False)
        if structural is not None:
            return structural
        self.is_promoted = False
        found = self._compare(was, becomes, "", 0, dtypes=True)
        return None if self.is_promoted else found

    def _compare(self, was: Value, becomes: Value, path: str, depth: int, *, dtypes: bool) -> Difference | None:
        firsts, seconds = atoms_of(was), atoms_of(becomes)
        if len(firsts) != 1 or len(seconds) != 1 or depth > MAX_NESTING:
            return None
        first, second = firsts[0], seconds[0]
        one, other = node_of(self.it, first), node_of(self.it, second)
        if one is not None and other is not None:
            return self._nodes(one, other, path, depth, dtypes=dtypes)
        if not (_is_known(first, one) and _is_known(second, other)):
            return None
        if one is None and other is None and is_none(first) == is_none(second):
            return None if is_none(first) else self._leaves(first, second, path, dtypes=dtypes)
        return Difference(path, _shown(first, one), _shown(second, other))

    def _nodes(self, one: Node, other: Node, path: str, depth: int, *, dtypes: bool) -> Difference | None:
        if not (one.is_whole and other.is_whole):
            return None
        if not one.is_like(other) or one.parts.keys() != other.parts.keys():
            return None if dtypes else Difference(path, _shown_node(one), _shown_node(other))
        found: Difference | None = None
        for step, part in one.parts.items():  # all of them: any may be promoted
            inner = self._compare(part, other.parts[step], path + step, depth + 1, dtypes=dtypes)
            found = found or inner
        return found

    def _leaves(self, was: Atom, becomes: Atom, path: str, *, dtypes: bool) -> Difference | None:
        differ = self._dtypes_differ(was, becomes) if dtypes else _shapes_differ(was, becomes)
        assumed = any(isinstance(atom, Array) and atom.assumed for atom in (was, becomes))
        return Difference(path, _leaf(was), _leaf(becomes), assumed) if differ else None

    def _dtypes_differ(self, was: Atom, becomes: Atom) -> bool:
        before, after = shapes.dtype_of(was), shapes.dtype_of(becomes)
        first, second = (_FAMILIES.get(shapes.dtype_class(dtype) or "") for dtype in (before, after))
        if first is None or second is None:
            return False
        is_strong = shapes.is_strong(was) or before == "bool"
        if first == second:
            both = is_strong and shapes.is_strong(becomes)
            return both and before != after and {before, after} <= _EXACT
        if self.is_loop and second > first and not is_strong:
            self.is_promoted = True
            return False
        return True


def _is_known(atom: Atom, node: Node | None) -> bool:
    """Whether it is known what an atom is in a tree: a container with all its parts, None, or a leaf."""
    if node is not None:
        return node.is_whole
    is_number = isinstance(atom, Static) and atom.type in NUMBERS and atom.known
    return is_number or isinstance(atom, Array) or is_none(atom)


def _shown(atom: Atom, node: Node | None) -> str:
    return _shown_node(node) if node is not None else "None" if is_none(atom) else _leaf(atom)


def _shown_node(node: Node) -> str:
    if node.kind in ("tuple", "list"):
        return f"{node.what} of {len(node.parts)}"
    if node.kind == "dict":
        keys = ", ".join(step[1:-1] for step in node.parts)
        return f"a dict of {keys}" if keys else "an empty dict"
    return node.what


def _shapes_differ(was: Atom, becomes: Atom) -> bool:
    one, other = shapes.shape_of(was), shapes.shape_of(becomes)
    if one is None or other is None:
        return False
    return len(one) != len(other) or any(_lengths_differ(a, b) for a, b in zip(one, other))


def _lengths_differ(one: Dim, other: Dim) -> bool:
    return isinstance(one, int) and isinstance(other, int) and one != other


def _leaf(atom: Atom) -> str:
    """An array as JAX writes its type: `float32(3,)`, or what is known of that."""
    dtype, shape = shapes.dtype_of(atom), shapes.shape_of(atom)
    text = dtype or "an array"
    return text if shape is None else f"{text} of shape {dims(shape)}"
