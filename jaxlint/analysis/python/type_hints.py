"""What a type annotation says of an unknown value. Annotations are believed: one documented assumption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.frozen import FrozenCell
from jaxlint.analysis.domain.idents import Fresh
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    NONE,
    STATIC_DTYPE,
    Array,
    Birth,
    Cell,
    ClassValue,
    DictCell,
    Iterable,
    Key,
    Level,
    ListCell,
    Object,
    Qualified,
    Ref,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import open_instances
from jaxlint.analysis.python.type_aliases import TRANSPARENT, UNIONS, alternatives
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import AnnotationRow

_LISTS = frozenset({"builtins.list", "typing.List"})
#: Of these only reading is known: they may be frozen, and have a hash.
_MAPPINGS = frozenset({"typing.Mapping", "collections.abc.Mapping"})
_DICTS = _MAPPINGS | {"builtins.dict", "typing.Dict", "typing.MutableMapping"}
_TUPLES = frozenset({"builtins.tuple", "typing.Tuple"})
_SEQUENCES = frozenset({"typing.Sequence", "collections.abc.Sequence", "typing.Iterable", "collections.abc.Iterable"})


def annotated_in(it: Interpreter, scope: Frame, node: ir.Expr, value: Unknown, birth: Birth) -> Value:
    """The same for an annotation that stands in another scope; an object of this `birth` lives here, not there."""
    here, there = it.frame.state, scope.state
    scope.state = here.of_call(there.env)
    with it.entering(scope):
        found = annotated(it, node, value)
    here.take_over(scope.state)
    scope.state = there
    reborn(it, found, birth)
    return found


def reborn(it: Interpreter, value: Value, birth: Birth) -> None:
    """The containers and objects in a value that an annotation describes are of this `birth`, nested ones too."""
    for atom in atoms_of(value):
        if isinstance(atom, Tuple):
            parts: tuple[Value, ...] = atom.elements
        elif isinstance(atom, Iterable):
            parts = (atom.element,)
        else:
            cell = it.cell(atom) if isinstance(atom, Object) else None
            if not isinstance(atom, Object) or cell is None or cell.birth[:3] == birth[:3]:
                continue
            it.update(atom, replace(cell, birth=Birth(*birth[:3], *cell.birth[3:])))
            parts = _held(cell)
        for part in parts:
            reborn(it, part, birth)


def _held(cell: Cell) -> tuple[Value, ...]:
    """What is in a container; the attributes of an object whose class is known are its own affair."""
    match cell:
        case ListCell():
            return (cell.element,)
        case DictCell(items=items, rest=rest):
            return (*items.values(), *(() if rest is None else (rest,)))
        case _:
            return ()


def annotated(it: Interpreter, node: ir.Expr, value: Unknown) -> Value:
    """The value, as far as its annotation tells; `value` itself where it tells nothing."""
    match node:
        case ir.Constant(value=None):
            return NONE
        case ir.BinaryOperation(op="|"):
            return _one_of([annotated(it, part, value) for part in (node.left, node.right)], value)
        case ir.BinaryChain(rest=rest) if all(op == "|" for op, _ in rest):
            return _one_of([annotated(it, part, value) for part in (node.first, *(part for _, part in rest))], value)
        case ir.Subscript():
            return _generic(it, node, value)
        case ir.Name() | ir.Attribute():
            return _described(it, _meaning(it, node), value)
        case _:
            return value


def _one_of(parts: Sequence[Value], value: Unknown) -> Value:
    """What a union says: of an array or a container of arrays, nothing, since the code knows which one it has."""
    atoms = [atom for part in parts for atom in atoms_of(part)]
    is_tree = any(isinstance(atom, Unknown | Object | Tuple | Iterable) for atom in atoms)
    return value if is_tree and any(isinstance(atom, Array) for atom in atoms) else join_all(parts)


def is_foreign(it: Interpreter, scope: Frame, node: ir.Expr) -> bool:
    """Whether an annotation, which stands in another scope, names only classes of libraries that no table knows."""
    with it.entering(scope):
        parts = list(_alternatives(it, node))
    return bool(parts) and all(isinstance(part, Qualified) and is_foreign_class(it, part.name) for part in parts)


def may_be_container(it: Interpreter, scope: Frame, node: ir.Expr) -> bool:
    """Whether an annotation, which stands in another scope, names a class of containers or trees among others."""
    with it.entering(scope):
        parts = list(_alternatives(it, node))
    return any(isinstance(part, Qualified) and _is_container(it, part.name) for part in parts)


def unhashable_class(it: Interpreter, scope: Frame, node: ir.Expr) -> str:
    """The builtin class of containers without a hash that an annotation in another scope names, beside None alone."""
    with it.entering(scope):
        names = {part.name if isinstance(part, Qualified) else "" for part in _alternatives(it, node)}
    return _WITHOUT_HASH.get(names.pop(), "") if len(names) == 1 else ""


_WITHOUT_HASH = {
    **dict.fromkeys(_LISTS, "list"), **dict.fromkeys(_DICTS - _MAPPINGS, "dict"),
    **dict.fromkeys(("builtins.set", "typing.Set", "typing.MutableSet"), "set"),
}  # fmt: skip


def _is_container(it: Interpreter, name: str) -> bool:
    row = it.api.annotation(name)
    return row is not None and row.kind in ("tree", "container")


def _alternatives(it: Interpreter, node: ir.Expr) -> Iterator[Value]:
    """The classes that an annotation names, other than None, whatever their elements are."""
    match node:
        case ir.BinaryOperation(op="|"):
            parts: tuple[ir.Expr, ...] = (node.left, node.right)
        case ir.BinaryChain(first=first, rest=rest):
            parts = (first, *(part for _, part in rest))
        case ir.Subscript():
            base = _meaning(it, node.base)
            if not isinstance(base, Qualified) or base.parts or base.name not in UNIONS | TRANSPARENT:
                yield from alternatives(base)
                return
            parts = node.index if base.name in UNIONS else node.index[:1]
        case _:
            yield from alternatives(_meaning(it, node))
            return
    for part in parts:
        yield from _alternatives(it, part)


def is_foreign_class(it: Interpreter, name: str) -> bool:
    """Whether a class belongs to a library that no table knows, or that has no classes of arrays."""
    value = Unknown()
    is_known = it.api.annotation(name) is not None or it.library.annotated(it, name, value) is not value
    library = it.api.library(name)
    may_be_array = name.startswith(_OF_PYTHON) or (library is not None and library.arrays)
    return not is_known and not may_be_array and name.rpartition(".")[2][:1].isupper()


#: Python's classes stand for anything in an annotation.
_OF_PYTHON = ("typing.", "builtins.")


def _meaning(it: Interpreter, node: ir.Expr) -> Value:
    """The class an annotation names, without events; nothing else is evaluated."""
    if isinstance(node, ir.Constant) and node.value is None:
        return NONE
    if isinstance(node, ir.Name):
        return it.peek(node.id) or it.builtin(node.id)
    if isinstance(node, ir.Attribute):
        base = _meaning(it, node.base)
        if isinstance(base, Qualified):
            return it.resolve(f"{base.name}.{node.attr}")
        if isinstance(base, Unknown):
            return base
        return it.attribute(base, node.attr, node.at)
    return Unknown()


def _named(it: Interpreter, meaning: Value, value: Unknown) -> Value:
    if isinstance(meaning, ClassValue):
        return open_instances.annotated(it, meaning, value)
    if not isinstance(meaning, Qualified):
        return value
    made = it.library.annotated(it, meaning.name, value)
    if made is not value:
        return made
    row = it.api.annotation(meaning.name)
    return value if row is None else _tabulated(it, row, value)


def _tabulated(it: Interpreter, row: AnnotationRow, value: Unknown) -> Value:
    """A value of a class that the table of annotations lists."""
    match row.kind:
        case "array":
            array = Array(Level.ANY, row.dtype or None, ident=value.ident, assumed=True)
            return value if _has_kernels(it) else array
        case "key":
            return Key(value.ident if value.ident is not None else it.ident(-1), Level.ANY, None)
        case "host-array":
            return Array(Level.HOST, row.dtype or None, assumed=True)
        case "static":
            return Static(type=row.type or None, ident=value.ident)
        case "dtype":
            return STATIC_DTYPE
        case "ref":
            return Ref(Level.ANY)
        case _:
            return value


def _has_kernels(it: Interpreter) -> bool:
    """Whether the module imports Pallas: the references that its kernels get are annotated as arrays, too."""
    module = it.frame.module
    return module.frame is not None and _binds_kernels(it, module.source.module, module.frame)


@memoised
def _binds_kernels(it: Interpreter, module: ir.Module, frame: Frame) -> bool:
    bound = frame.state.env.values()
    return any(isinstance(value, Qualified) and it.api.has(value.name, "kernels") for value in bound)


def _generic(it: Interpreter, node: ir.Subscript, value: Unknown) -> Value:
    """`Optional[X]`, `tuple[X, Y]`, `Float[Array, "n"]` and the like."""
    meaning = _meaning(it, node.base)
    if not isinstance(meaning, Qualified) or meaning.parts:
        return _described(it, meaning, value)
    name = meaning.name
    if not node.index and name not in _TUPLES:
        return _named(it, meaning, value)
    if name in UNIONS:
        parts = [annotated(it, part, value) for part in node.index]
        return _one_of([*parts, NONE] if name == "typing.Optional" else parts, value)
    if name in TRANSPARENT:
        return annotated(it, node.index[0], value)
    container = _container(it, name, node, value)
    if container is not None:
        return container
    named = _named(it, meaning, value)
    return _of_kind(it, _meaning(it, node.index[0]), named, value) if it.api.has(name, "wraps-array-type") else named


def _described(it: Interpreter, meaning: Value, value: Unknown) -> Value:
    """The same for an alias of such a type: one of a container says nothing, nor does a type variable in it."""
    if isinstance(meaning, Static) and is_none(meaning):
        return NONE
    if not isinstance(meaning, Qualified) or not meaning.parts:
        return _named(it, meaning, value)
    if meaning.name in UNIONS:
        parts = [_described(it, part, value) for part in meaning.parts]
        return _one_of([*parts, NONE] if meaning.name == "typing.Optional" else parts, value)
    if meaning.name in TRANSPARENT:
        return _described(it, meaning.parts[0], value)
    named = _named(it, meaning, value)
    return _of_kind(it, meaning.parts[0], named, value) if it.api.has(meaning.name, "wraps-array-type") else named


def _container(it: Interpreter, name: str, node: ir.Subscript, value: Unknown) -> Value | None:
    """A container of the class with this name; None if it is no class of containers."""
    if name in _TUPLES:
        return _tuple(it, node, value)
    if name in _LISTS:
        element = annotated(it, node.index[0], _part(it, value))
        return it.allocate(ListCell(it.birth(node.at)._replace(declared=True), None, element))
    if name in _DICTS and len(node.index) == 2:
        element = annotated(it, node.index[1], _part(it, value))
        made = FrozenCell if name in _MAPPINGS else DictCell
        return it.allocate(made(it.birth(node.at), {}, element))
    if name in _SEQUENCES:
        return Iterable("sequence", annotated(it, node.index[0], _part(it, value)), ident=value.ident)
    return None


def _of_kind(it: Interpreter, holder: Value, named: Value, value: Unknown) -> Value:
    """`Float[np.ndarray, "n"]` is no array of JAX, and nothing is known of a `Float[torch.Tensor, "n"]`."""
    if not isinstance(named, Array) or not isinstance(holder, Qualified):
        return named
    row = it.api.annotation(holder.name)
    if row is None:
        return value
    return Array(Level.HOST, named.dtype, assumed=True) if row.kind == "host-array" else named


def _part(it: Interpreter, value: Unknown) -> Unknown:
    return Unknown(it.element_ident(value.ident, Fresh(it.fresh())), value.reason)


def _tuple(it: Interpreter, node: ir.Subscript, value: Unknown) -> Value:
    if len(node.index) == 2 and isinstance(node.index[1], ir.Constant) and node.index[1].value is ...:
        return Iterable("tuple", annotated(it, node.index[0], _part(it, value)), ident=value.ident)
    return Tuple(
        tuple(
            annotated(it, part, Unknown(it.element_ident(value.ident, number), value.reason))
            for number, part in enumerate(node.index)
        )
    )
