"""What a type annotation says of an unknown value. Annotations are believed: one documented assumption."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import Fresh
from jaxlint.analysis.domain.lattice import join, join_all
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
)
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import open_instances
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import AnnotationRow

#: Generic wrappers that say nothing about the value beyond their first argument.
_TRANSPARENT = frozenset(
    {"typing.Annotated", "typing.Final", "typing.ClassVar", "dataclasses.InitVar", "typing.Required"}
)
_LISTS = frozenset({"builtins.list", "typing.List"})
_DICTS = frozenset(
    {"builtins.dict", "typing.Dict", "typing.Mapping", "collections.abc.Mapping", "typing.MutableMapping"}
)
_TUPLES = frozenset({"builtins.tuple", "typing.Tuple"})
_SEQUENCES = frozenset({"typing.Sequence", "collections.abc.Sequence", "typing.Iterable", "collections.abc.Iterable"})
_UNIONS = frozenset({"typing.Union", "typing.Optional"})


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
            if not isinstance(atom, Object) or cell is None or cell.birth == birth:
                continue
            it.update(atom, replace(cell, birth=birth))
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
            return join(annotated(it, node.left, value), annotated(it, node.right, value))
        case ir.BinaryChain(rest=rest) if all(op == "|" for op, _ in rest):
            return join_all([annotated(it, part, value) for part in (node.first, *(part for _, part in rest))])
        case ir.Subscript():
            return _generic(it, node, value)
        case ir.Name() | ir.Attribute():
            return _named(it, _meaning(it, node), value)
        case _:
            return value


def is_foreign(it: Interpreter, scope: Frame, node: ir.Expr) -> bool:
    """Whether an annotation, which stands in another scope, names only classes of libraries that no table knows."""
    with it.entering(scope):
        parts = [_meaning(it, part) for part in _alternatives(it, node)]
    return bool(parts) and all(isinstance(part, Qualified) and _is_foreign(it, part.name) for part in parts)


def is_container(it: Interpreter, scope: Frame, node: ir.Expr) -> bool:
    """Whether an annotation, which stands in another scope, names only classes of containers and trees."""
    with it.entering(scope):
        parts = [_base(it, part) for part in _alternatives(it, node)]
    return bool(parts) and all(isinstance(part, Qualified) and _is_container(it, part.name) for part in parts)


def _base(it: Interpreter, node: ir.Expr) -> Value:
    """The class that an annotation names, whatever its elements are."""
    return _base(it, node.base) if isinstance(node, ir.Subscript) else _meaning(it, node)


def _is_container(it: Interpreter, name: str) -> bool:
    row = it.api.annotation(name)
    return name in _DICTS | _LISTS | _TUPLES | _SEQUENCES or (row is not None and row.kind == "tree")


def _alternatives(it: Interpreter, node: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of a union other than None."""
    match node:
        case ir.Constant(value=None):
            return
        case ir.BinaryOperation(op="|"):
            parts: tuple[ir.Expr, ...] = (node.left, node.right)
        case ir.Subscript() if isinstance(base := _meaning(it, node.base), Qualified) and base.name in _UNIONS:
            parts = node.index
        case _:
            yield node
            return
    for part in parts:
        yield from _alternatives(it, part)


def _is_foreign(it: Interpreter, name: str) -> bool:
    value = Unknown()
    is_known = it.api.annotation(name) is not None or it.library.annotated(it, name, value) is not value
    library = it.api.library(name)
    may_be_array = name.startswith(_OF_PYTHON) or (library is not None and library.arrays)
    return not is_known and not may_be_array and name.rpartition(".")[2][:1].isupper()


#: Python's classes stand for anything in an annotation.
_OF_PYTHON = ("typing.", "builtins.")


def _meaning(it: Interpreter, node: ir.Expr) -> Value:
    """The class an annotation names, without events; nothing else is evaluated."""
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
            return value if _has_kernels(it) else Array(Level.ANY, row.dtype or None, None, False, None, value.ident)
        case "key":
            return Key(value.ident if value.ident is not None else it.ident(-1), Level.ANY, None)
        case "host-array":
            return Array(Level.HOST, row.dtype or None)
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
    if not isinstance(meaning, Qualified):
        return _named(it, meaning, value)
    name = meaning.name
    if not node.index and name not in _TUPLES:
        return _named(it, meaning, value)
    if name in _UNIONS:
        parts = [annotated(it, part, value) for part in node.index]
        return join_all([*parts, NONE] if name == "typing.Optional" else parts)
    if name in _TRANSPARENT:
        return annotated(it, node.index[0], value)
    container = _container(it, name, node, value)
    if container is not None:
        return container
    named = _named(it, meaning, value)
    return _of_kind(it, node.index[0], named, value) if it.api.has(name, "wraps-array-type") else named


def _container(it: Interpreter, name: str, node: ir.Subscript, value: Unknown) -> Value | None:
    """A container of the class with this name; None if it is no class of containers."""
    if name in _TUPLES:
        return _tuple(it, node, value)
    if name in _LISTS:
        element = annotated(it, node.index[0], _part(it, value))
        return it.allocate(ListCell(it.birth(node.at), None, element))
    if name in _DICTS and len(node.index) == 2:
        element = annotated(it, node.index[1], _part(it, value))
        return it.allocate(DictCell(it.birth(node.at), {}, element))
    if name in _SEQUENCES:
        return Iterable("sequence", annotated(it, node.index[0], _part(it, value)), ident=value.ident)
    return None


def _of_kind(it: Interpreter, kind: ir.Expr, named: Value, value: Unknown) -> Value:
    """`Float[np.ndarray, "n"]` is no array of JAX, and nothing is known of a `Float[torch.Tensor, "n"]`."""
    holder = _meaning(it, kind)
    if not isinstance(named, Array) or not isinstance(holder, Qualified):
        return named
    row = it.api.annotation(holder.name)
    if row is None:
        return value
    return Array(Level.HOST, named.dtype) if row.kind == "host-array" else named


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
