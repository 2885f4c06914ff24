"""Whether two trees of arrays differ in structure, shape or dtype, as far as that is known of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    DictCell,
    Dim,
    InstanceCell,
    ListCell,
    Object,
    Shape,
    Static,
    Tuple,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.machine.levels import MAX_NESTING, NUMBERS

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
        kinds = self._kind(first), self._kind(second)
        if None in kinds:
            return None
        if kinds[0] != kinds[1]:
            return Difference(path, self._shown(first), self._shown(second))
        if kinds[0] == "leaf":
            return self._leaves(first, second, path, dtypes=dtypes)
        pairs = self._pairs(first, second)
        if pairs is None:
            return None if dtypes else Difference(path, self._shown(first), self._shown(second))
        found: Difference | None = None
        for step, (one, other) in pairs.items():
            inner = self._compare(one, other, f"{path}{step}", depth + 1, dtypes=dtypes)
            found = found or inner
        return found

    def _kind(self, atom: Atom) -> str | None:
        """What kind of node of a tree an atom is; None where that is not known."""
        match atom:
            case Array():
                return "leaf"
            case Static():
                return "None" if is_none(atom) else "leaf" if atom.type in NUMBERS and atom.known else None
            case Tuple(cls=None, names=()):
                return "tuple"
            case Tuple(cls=cls) if cls is not None:
                return f"`{cls.name}`"
            case Object():
                return self._kind_of_cell(atom)
            case _:
                return None

    def _kind_of_cell(self, atom: Object) -> str | None:
        match self.it.cell(atom):
            case ListCell(elements=elements):
                return None if elements is None else "list"
            case DictCell(rest=rest):
                return None if rest is not None else "dict"
            case InstanceCell(cls=cls):
                return f"`{cls.name}`" if cls.kind == "pytree" else None
            case _:
                return None

    def _pairs(self, first: Atom, second: Atom) -> dict[str, tuple[Value, Value]] | None:
        """The parts of two nodes of one kind, by the text that leads there; None where they are not the same."""
        one, other = self._parts(first), self._parts(second)
        if isinstance(first, Object) and isinstance(self.it.cell(first), InstanceCell):
            return {step: (one[step], other[step]) for step in one if step in other}
        return {step: (one[step], other[step]) for step in one} if one.keys() == other.keys() else None

    def _parts(self, atom: Atom) -> dict[str, Value]:
        if isinstance(atom, Tuple):
            return {f"[{number}]": part for number, part in enumerate(atom.elements)}
        match self.it.cell(atom) if isinstance(atom, Object) else None:
            case ListCell(elements=tuple(elements)):
                return {f"[{number}]": part for number, part in enumerate(elements)}
            case DictCell(items=items):
                return {f"[{key!r}]": part for key, part in items.items()}
            case InstanceCell(attributes=attributes):
                return {f".{name}": part for name, part in attributes.items()}
            case _:
                return {}

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

    def _shown(self, atom: Atom) -> str:
        kind = self._kind(atom)
        if kind == "leaf":
            return _leaf(atom)
        if kind in ("tuple", "list"):
            return f"a {kind} of {len(self._parts(atom))}"
        if kind == "dict":
            keys = ", ".join(step[1:-1] for step in self._parts(atom))
            return f"a dict of {keys}" if keys else "an empty dict"
        return kind or "?"


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
    text = dtype or "array"
    return text if shape is None else f"{text} of shape {dims(shape)}"
