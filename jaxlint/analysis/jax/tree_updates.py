"""Equinox's functions that take trees apart by leaves and change single ones: `tree_at`, `partition`, `combine`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.shapes import is_discrete
from jaxlint.analysis.domain.values import (
    NONE,
    Arguments,
    Array,
    Atom,
    Cell,
    DictCell,
    FunctionValue,
    InstanceCell,
    Key,
    Leaves,
    Level,
    ListCell,
    Object,
    Qualified,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    is_none,
)
from jaxlint.analysis.python import iteration, record_copies
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_Path = tuple["str | int", ...]


# --- one leaf is another


def _tree_at(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value | None:
    """`tree_at(where, tree, replace)`: the same tree with other values where a lambda reads them."""
    where, tree, new = arguments.get(0, "where"), arguments.get(1, "pytree"), arguments.get(2, "replace")
    paths = _paths(where) if isinstance(where, FunctionValue) else None
    if tree is None or new is None or paths is None or arguments.get(3, "replace_fn") is not None:
        return None
    values = (new,) if len(paths) == 1 else iteration.exact_elements(it, new)
    if values is None or len(values) != len(paths):
        return None
    for path, value in zip(paths, values):
        tree = _changed(it, tree, path, value, node.at)
    return tree


def _paths(where: FunctionValue) -> list[_Path] | None:
    """The ways to what a function of one parameter reads from it: `lambda m: m.layers[0].weight`."""
    function = where.function
    if len(function.parameters) != 1 or len(function.body) != 1 or not isinstance(function.body[0], ir.Return):
        return None
    read = function.body[0].value
    parts = read.elements if isinstance(read, ir.SequenceDisplay) else (read,)
    paths = [_path(part, function.parameters[0].name) for part in parts]
    return None if None in paths else [path for path in paths if path is not None]


def _path(node: ir.Expr | None, root: str) -> _Path | None:
    match node:
        case ir.Name(id=name) if name == root:
            return ()
        case ir.Attribute(base=base, attr=step):
            before = _path(base, root)
        case ir.Subscript(base=base, index=(ir.Constant(value=(str() | int()) as step),)):
            before = _path(base, root)
        case _:
            return None
    return None if before is None else (*before, step)


def _changed(it: Interpreter, tree: Value, path: _Path, new: Value, at: int) -> Value:
    if not path:
        return new
    step, *rest = path
    cell = it.cell(tree) if isinstance(tree, Object) else None
    match tree, cell:
        case Object(), InstanceCell() if isinstance(step, str):
            inner = _changed(it, it.attribute(tree, step, at), tuple(rest), new, at)
            return record_copies.changed(it, tree, cell, Arguments(keywords={step: inner}), at)
        case Object(), DictCell(items=items) if step in items:
            inner = _changed(it, items[step], tuple(rest), new, at)
            return it.allocate(DictCell(it.birth(at), {**items, step: inner}, cell.rest))
        case Object(), ListCell(elements=tuple(elements)) if isinstance(step, int):
            return it.allocate(_list(it, _at(it, elements, step, tuple(rest), new, at), at))
        case Tuple(elements=elements, names=names), None:
            number = names.index(step) if names and step in names else step
            if isinstance(number, int):
                return Tuple(_at(it, elements, number, tuple(rest), new, at), names, tree.cls)
    return it.unknown("a tree with another leaf", at)


def _at(
    it: Interpreter, elements: tuple[Value, ...], number: int, rest: _Path, new: Value, at: int
) -> tuple[Value, ...]:
    if not -len(elements) <= number < len(elements):
        return elements
    place = number % len(elements)
    return (*elements[:place], _changed(it, elements[place], rest, new, at), *elements[place + 1 :])


def _list(it: Interpreter, elements: tuple[Value, ...], at: int) -> ListCell:
    return ListCell(it.birth(at), elements, join_all(elements))


# --- arrays on one side, the rest on the other

_NUMBERS: Final = frozenset({"bool", "complex", "float", "int"})


def _partition(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value | None:
    """`partition(tree, filter)`: the tree with None for what is no array, and with None for what is one."""
    tree, wanted = arguments.get(0, "pytree"), arguments.get(1, "filter_spec")
    known = _filter(it, wanted)
    sides = None if tree is None or known is None else _sides(it, tree, known, node.at)
    if sides is None:
        return None
    return Tuple(sides)


def _filter(it: Interpreter, wanted: Value | None) -> tuple[bool, bool] | None:
    """What is a leaf of the first part: whether numbers are, and whether those of floats alone; None: not known."""
    if not isinstance(wanted, Qualified) or not it.api.has(wanted.name, "is-array"):
        return None
    return it.api.has(wanted.name, "or-number"), it.api.has(wanted.name, "inexact-alone")


def _sides(it: Interpreter, tree: Value, wanted: tuple[bool, bool], at: int) -> tuple[Value, Value] | None:
    """Both parts of a tree; None where that is not known in full."""
    match tree:
        case Union() | Unknown():
            return None
        case Tuple(elements=elements):
            parts = [_sides(it, element, wanted, at) for element in elements]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            first, second = (tuple(part[side] for part in known) for side in (0, 1))
            return Tuple(first, tree.names, tree.cls), Tuple(second, tree.names, tree.cls)
        case Object():
            cell = it.cell(tree)
            return None if cell is None else _sides_of_cell(it, cell, wanted, at)
        case _:
            return (tree, NONE) if _is_wanted(tree, *wanted) else (NONE, tree)


def _is_wanted(leaf: Atom, numbers: bool, floats: bool) -> bool:
    match leaf:
        case Array(dtype=dtype):
            return (numbers or leaf.level is not Level.HOST) and not (floats and is_discrete(dtype))
        case Leaves() | Key():
            return not (floats and isinstance(leaf, Key))
        case Static(type=kind):
            return numbers and kind in (_NUMBERS - {"bool", "int"} if floats else _NUMBERS)
        case _:
            return False


def _sides_of_cell(it: Interpreter, cell: Cell, wanted: tuple[bool, bool], at: int) -> tuple[Value, Value] | None:
    match cell:
        case DictCell(items=items, rest=None):
            parts, beside = items, frozenset[str]()
        case ListCell(elements=tuple(elements)):
            parts, beside = dict(enumerate(elements)), frozenset[str]()
        case InstanceCell(open=False, attributes=attributes) if cell.cls.kind in ("pytree", "module"):
            parts, beside = attributes, class_fields.statics(cell.cls)
        case _:
            return None
    sides: list[dict[Any, Value]] = [{}, {}]
    for key, value in parts.items():
        both = (value, value) if key in beside else _sides(it, value, wanted, at)
        if both is None:
            return None
        sides[0][key], sides[1][key] = both
    first, second = (it.allocate(_refilled(it, cell, side, at)) for side in sides)
    return first, second


def _refilled(it: Interpreter, cell: Cell, parts: dict[Any, Value], at: int) -> Cell:
    """A container or object like another one, with other parts."""
    match cell:
        case DictCell():
            return DictCell(it.birth(at), parts, None)
        case ListCell():
            return _list(it, tuple(parts.values()), at)
        case InstanceCell():
            return replace(cell, birth=it.birth(at), attributes=parts, ident=None)
        case _:
            return cell


def _combine(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value | None:
    """`combine(one, other)`: what is None in one tree is taken from the other."""
    trees = arguments.positional
    if len(trees) != 2 or arguments.keywords or arguments.extra:
        return None
    merged = _merged(it, trees[0], trees[1], node.at)
    if isinstance(merged, Unknown):  # of traced trees something traced
        return None
    return merged


def _merged(it: Interpreter, one: Value, other: Value, at: int) -> Value:
    if isinstance(one, Static) and is_none(one):
        return other
    if isinstance(other, Static) and is_none(other):
        return one
    if isinstance(one, Tuple) and isinstance(other, Tuple) and len(one.elements) == len(other.elements):
        parts = tuple(_merged(it, a, b, at) for a, b in zip(one.elements, other.elements))
        return Tuple(parts, one.names, one.cls)
    first, second = (it.cell(tree) if isinstance(tree, Object) else None for tree in (one, other))
    held, others = _parts(first), _parts(second)
    if first is None or first.__class__ is not second.__class__ or held is None or others is None:
        return it.unknown("two trees in one", at)
    if held.keys() != others.keys():
        return it.unknown("two trees in one", at)
    beside = class_fields.statics(first.cls) if isinstance(first, InstanceCell) else frozenset[str]()
    merged = {k: value if k in beside else _merged(it, value, others[k], at) for k, value in held.items()}
    return it.allocate(_refilled(it, first, merged, at))


def _parts(cell: Cell | None) -> dict[Any, Value] | None:
    match cell:
        case DictCell(items=items, rest=None):
            return items
        case ListCell(elements=tuple(elements)):
            return dict(enumerate(elements))
        case InstanceCell(attributes=attributes):
            return attributes
        case _:
            return None


#: None stands for what the tables say of the function: the trees are not known well enough.
SPECIAL: dict[str, Callable[[Interpreter, str, Arguments, ir.Expr], Value | None]] = {
    "tree_at": _tree_at,
    "tree_partition": _partition,
    "tree_combine": _combine,
}
