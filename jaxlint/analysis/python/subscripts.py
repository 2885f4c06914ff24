"""Subscripts: reading items of arrays, keys, containers and trees, and the events of doing so."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.idents import Fresh, Ident, Index, Item, Part
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.sharding_values import Devices
from jaxlint.analysis.domain.values import (
    NONE,
    STATIC,
    STATIC_STR,
    Array,
    Atom,
    ClassValue,
    DictCell,
    Dim,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Member,
    Object,
    Qualified,
    Reason,
    Ref,
    Shape,
    Static,
    Tuple,
    Union,
    Unknown,
    Update,
    Value,
    atoms_of,
    has_no_value,
    is_none,
    level_of,
)
from jaxlint.analysis.events.event import Operand, has_no_hash
from jaxlint.analysis.events.random import KeyMisuse
from jaxlint.analysis.events.sharding import ShardLoss
from jaxlint.analysis.events.tracing import ArraySubscript, Hashed, IntegerNeeded
from jaxlint.analysis.machine.levels import evidence
from jaxlint.analysis.machine.run_facts import ShardLosses
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import (
    attributes,
    device_lists,
    element_kinds,
    functions,
    index_bounds,
    iteration,
    special_methods,
    stale_reads,
    text_and_hash,
    type_aliases,
)
from jaxlint.analysis.typestate import async_dispatch, donated_uses, key_arrays, static_numbers
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def load(it: Interpreter, node: ir.Subscript, *, quiet: bool = False) -> Value:
    """The value of `base[index]`; `quiet` leaves the events to the store that follows."""
    base = it.eval(node.base)
    if isinstance(base, Qualified):
        return type_aliases.generic(it, base, node)
    if isinstance(base, ClassValue) and base.kind != "enum":
        return base  # a generic alias: `Env[State]`
    index = index_operands(it, node)
    if it.frame.state.clock is not None:
        async_dispatch.indexed(it, base, index, node)
    atoms = [atom for atom in atoms_of(base) if not is_none(atom)]
    if len(atoms) > 1:  # of a key or several, as the case may be, the one is not misused
        return _one_of(it, atoms, node, index, quiet)
    return _atom(it, atoms[0], node, index, quiet) if atoms else STATIC


def _one_of(it: Interpreter, atoms: list[Atom], node: ir.Subscript, index: tuple[Operand, ...], quiet: bool) -> Value:
    """An item of one of several values; where one may be an array, any index may be for that one."""
    caveats = it.frame.caveats
    if any(isinstance(atom, Array | Leaves | Unknown) for atom in atoms):
        it.frame.caveats = caveats._replace(one_of_several=True)
    found = join_all([_atom(it, atom, node, index, quiet or isinstance(atom, Key)) for atom in atoms])
    it.frame.caveats = caveats
    return found


def index_operands(it: Interpreter, node: ir.Subscript) -> tuple[Operand, ...]:
    """The evaluated elements of an index; a slice stands as the join of its parts, or STATIC."""
    return tuple(it.operand(_index_value(it, part), part) for part in node.index)


@dataclass(slots=True)
class _Slices(Table):
    """The bounds of slices as they were last evaluated, by path and ordinal."""

    bounds: dict[tuple[str, int], list[Value]] = field(default_factory=dict)


def _index_value(it: Interpreter, part: ir.Expr) -> Value:
    if not isinstance(part, ir.Slice):
        return it.eval(part)
    values = [it.eval(bound) for bound in (part.lower, part.upper, part.step) if bound is not None]
    lifted = [value for value in values if any(level_of(atom) is not None for atom in atoms_of(value))]
    it.tables[_Slices].bounds[it.frame.path, part.at] = values
    return join_all(lifted) if lifted else Static(type="slice")


def _atom(  # noqa: PLR0911 - dispatches on the kinds of values
    it: Interpreter, atom: Atom, node: ir.Subscript, index: tuple[Operand, ...], quiet: bool
) -> Value:
    match atom:
        case Array() | Leaves():
            if it.frame.state.donated:
                donated_uses.use_array(it, atom, node.base)
            return _array(it, atom, node, index, quiet)
        case Key():
            return _key(it, atom, node, index, quiet)
        case Tuple():
            return _sequence(it, atom.elements, node, index, "tuple")
        case Update():
            tell(it, atom.array, node, index, is_update=True)
            return Update(atom.array, indexed=True, index=tuple(operand.value for operand in index))
        case Object():
            return _object(it, atom, node, index)
        case Iterable():
            declared = atom.kind == "sequence" and element_kinds.are_numbers(atom.element)
            _need_integer(it, index, node, atom.kind, (atom.element,), declared=declared)
            rest = replace(atom, element=_later_keys(it, atom.element, node))
            return rest if _is_slice(node) else iteration.refresh(it, atom.element, iteration.picked(it))
        case Static():
            return _static(it, atom, node, index)
        case Ref():
            return Array(max(atom.level, it.frame.ambient), origin=atom.origin)
        case Unknown():
            if not quiet:
                tell(it, atom, node, index, is_update=False)
            base = None if atom.ident is None else attributes.current(it, atom.ident)
            return Unknown(it.element_ident(base, _index_ident(it, index)), atom.reason)
        case _:
            return it.unknown("an item of an object", node.at)


def _index_ident(it: Interpreter, index: tuple[Operand, ...]) -> Index:
    """What tells items apart: a constant, the identity of the index, or nothing in common with any other."""
    parts: list[Index] = []
    for operand in index:
        value = operand.value
        if isinstance(value, Static) and value.known:
            parts.append(value.value)
        elif isinstance(value, Static | Unknown | Array) and value.ident is not None:
            parts.append(value.ident)
        else:
            parts.append(Fresh(it.fresh()))
    return parts[0] if len(parts) == 1 else tuple(parts)


# --- arrays


def _array(it: Interpreter, atom: Array | Leaves, node: ir.Subscript, index: tuple[Operand, ...], quiet: bool) -> Value:
    if atom.ident in it.tables[ShardLosses].labels and len(index) == 1 and it.wants(ShardLoss):
        _tell_one_shard(it, atom.ident, index[0].value, node)
    if isinstance(atom, Leaves) and len(index) == 1 and _may_be_key(only := index[0].value):
        ident = None if atom.ident is None else Item(atom.ident, _index_ident(it, index))
        if isinstance(only, Static) and only.type == "str" and it.frame.caveats.one_of_methods:
            reason = Reason("an entry that one of several methods wants", it.frame.path, node.at)
            return Unknown(ident, reason)  # the tree that comes here may be without it, for another one
        return Leaves(atom.level, atom.origin, ident, atom.assumed, atom.element)
    if not quiet:
        tell(it, atom, node, index, is_update=False)
        if isinstance(atom, Array):
            index_bounds.read(it, atom, node, index)
    levels = [level_of(a) or Level.HOST for operand in index for a in atoms_of(operand.value)]
    level = max([atom.level, *levels])
    if atom.level is Level.HOST and level <= Level.ANY:
        level = Level.HOST  # NumPy makes an array of its own of the index, which is refused where it is traced
    if level is not Level.HOST:
        level = max(level, it.frame.ambient)
    dtype = atom.dtype if isinstance(atom, Array) else None
    shape = _indexed_shape(it, atom.shape, node, index) if isinstance(atom, Array) else None
    origin = evidence(it, (atom, *(operand.value for operand in index)))
    ident = None if atom.ident is None else Item(atom.ident, _index_ident(it, index))
    return Array(level, dtype, shape, False, origin, ident, strong=isinstance(atom, Array) and atom.strong)


def _may_be_key(index: Value) -> bool:
    """Whether it may be a key of a dict, a place in a list, or rows of an array; what a walk over a tree meets, too."""
    if isinstance(index, Leaves):
        return index.element
    return isinstance(index, Static) and index.type in ("str", "int", "slice", None)


def _tell_one_shard(it: Interpreter, ident: Ident, index: Value, node: ir.Subscript) -> None:
    """Tell the rules where of the losses of all devices one is taken."""
    if isinstance(index, Static) and type(index.value) is int:
        it.emit(ShardLoss(it.frame, node.at, it.tables[ShardLosses].labels[ident]))


def tell(it: Interpreter, base: Value, node: ir.Subscript, index: tuple[Operand, ...], *, is_update: bool) -> None:
    """Tell the rules about an index that is no plain constant."""
    if not it.wants(ArraySubscript):
        return
    if not any(_is_lifted(operand.value) for operand in index):
        it.works(node.at, ArraySubscript)
        return
    slices = tuple(
        tuple(
            Operand(value, it.frame, part.at) for value in it.tables[_Slices].bounds.get((it.frame.path, part.at), ())
        )
        if isinstance(part, ir.Slice)
        else _slice_object(operand)
        for part, operand in zip(node.index, index)
    )
    it.emit(ArraySubscript(it.frame, node.at, it.operand(base, node.base), index, slices, is_update))


def _slice_object(operand: Operand) -> tuple[Operand, ...]:
    """The bounds of `slice(start, stop)` made beforehand."""
    value = operand.value
    return (
        (Operand(value.element, operand.frame, operand.at),)
        if isinstance(value, Iterable) and value.kind == "slice"
        else ()
    )


def _is_lifted(value: Value) -> bool:
    if isinstance(value, Iterable) and value.kind == "slice":
        return _is_lifted(value.element)
    return any((level_of(atom) or Level.HOST) > Level.HOST for atom in atoms_of(value))


def _indexed_shape(it: Interpreter, shape: Shape, node: ir.Subscript, index: tuple[Operand, ...]) -> Shape:
    """The shape left by integers, full slices and None; anything else is unknown."""
    if shape is None:
        return None
    left: list[Dim] = []
    rest = list(shape)
    for part, operand in zip(node.index, index):
        value = operand.value
        if is_none(value) if not isinstance(value, Union) else False:
            left.append(1)
        elif not rest:
            return None
        elif isinstance(part, ir.Slice):
            left.append(_sliced_length(part, rest.pop(0)))
        elif _is_scalar_index(value):
            rest.pop(0)
        else:
            return None
    return (*left, *rest)


def _sliced_length(part: ir.Slice, length: Dim) -> Dim:
    """What a slice leaves of an axis, where its bounds are written as numbers."""
    bounds = [None if bound is None else _literal(bound) for bound in (part.lower, part.upper, part.step)]
    if not isinstance(length, int):
        return length if part.lower is part.upper is part.step is None else None
    if any(bound is not None and known is None for bound, known in zip((part.lower, part.upper, part.step), bounds)):
        return None
    return len(range(length)[slice(*bounds)]) if bounds[2] != 0 else None


def _literal(node: ir.Expr) -> int | None:
    """The whole number that an expression writes, with its sign."""
    match node:
        case ir.Constant(value=int() as number):
            return number
        case ir.UnaryOperation(op="-", operand=ir.Constant(value=int() as number)):
            return -number
        case _:
            return None


def _is_scalar_index(value: Value) -> bool:
    if isinstance(value, Static):
        return value.type == "int"
    return isinstance(value, Array) and value.shape == () and dtype_class(value.dtype) in ("int", "uint")


# --- keys


def _key(it: Interpreter, atom: Key, node: ir.Subscript, index: tuple[Operand, ...], quiet: bool) -> Value:
    if atom.shape and not quiet:
        index_bounds.read(it, atom, node, index)
    added = any(isinstance(o.value, Static) and (o.value.value is ... or is_none(o.value)) for o in index)
    if atom.shape == () and not added:  # a word of its bits
        if atom.typed and it.wants(KeyMisuse) and not quiet:
            it.emit(KeyMisuse(it.frame, node.at, it.operand(atom, node.base), "[]", "indexing"))
        return Array(max(atom.level, it.frame.ambient), "uint32", (), False, atom.origin)
    if atom.shape == () and all(_adds_axis(part, o.value, atom) for part, o in zip(node.index, index)):
        return key_arrays.alone(atom, sum(map(is_none, (operand.value for operand in index))))
    if not added and _picks_word(atom, node):
        return Array(max(atom.level, it.frame.ambient), "uint32", None, False, atom.origin)
    if any(isinstance(part, ir.Slice) for part in node.index):
        parts = [
            _slice_ident(it, part) if isinstance(part, ir.Slice) else _index_ident(it, (operand,))
            for part, operand in zip(node.index, index)
        ]
        return replace(atom, ident=Part(atom.ident, tuple(parts)), shape=None)
    if len(index) == 1 and atom.shape is not None and len(atom.shape) == 1:
        return key_arrays.element(it, atom, _index_ident(it, index))
    shape = None if atom.shape is None else tuple(atom.shape[len(index) :])
    return replace(atom, ident=it.element_ident(atom.ident, _index_ident(it, index)), shape=shape)


def _picks_word(keys: Key, node: ir.Subscript) -> bool:
    """Whether an index takes one word of each raw key, as `keys[:, 0]` does: people use them as seeds."""
    is_array = not keys.typed and keys.shape is not None
    return is_array and len(node.index) == len(keys.shape or ()) + 1 and not isinstance(node.index[-1], ir.Slice)


def _adds_axis(part: ir.Expr, index: Value, key: Key) -> bool:
    """Whether a part of an index does no more to one key than to add an axis before it."""
    if isinstance(part, ir.Slice):  # over the words of a key of the old kind
        return not key.typed and part.lower is part.upper is part.step is None
    return is_none(index)


def _slice_ident(it: Interpreter, part: ir.Slice) -> Index:
    """Slices of a key array overlap if both start and end may; told apart by their constant bounds.

    All that start where the array does have its first keys in common, wherever they end.
    """
    values = [None if bound is None else it.eval(bound) for bound in (part.lower, part.upper, part.step)]
    if all(value is None or (isinstance(value, Static) and value.known) for value in values):
        return tuple(None if value is None else value.value for value in values)  # type: ignore[union-attr]
    if part.lower is part.step is None:
        return _FROM_THE_START
    return Fresh(it.fresh())


#: The identity of a slice whose end alone is given, by a number that is not known.
_FROM_THE_START: Final = (None, "", None)


# --- containers


def _sequence(
    it: Interpreter, elements: tuple[Value, ...], node: ir.Subscript, index: tuple[Operand, ...], kind: str
) -> Value:
    if not node.index:
        return it.unknown("an item at an empty tuple", node.at)
    part = node.index[0]
    if isinstance(part, ir.Slice):
        _need_integer(it, index, node, kind, elements)
        return _sliced(it, elements, part)
    key = index[0].value
    if isinstance(key, Static) and isinstance(key.value, int) and len(index) == 1:
        if not isinstance(part, ir.Constant):
            it.works(node.at, IntegerNeeded)
        if -len(elements) <= key.value < len(elements):
            return elements[key.value]
        return it.unknown("an item that is not there", node.at)
    _need_integer(it, index, node, kind, elements)
    if not elements:
        return it.unknown("an item of an empty tuple", node.at)
    return iteration.refresh(it, join_all(elements), iteration.picked(it))


def _is_slice(node: ir.Subscript) -> bool:
    """Whether the index is, or begins with, a slice; that of `x[()]` is empty."""
    return bool(node.index) and isinstance(node.index[0], ir.Slice)


def _later_keys(it: Interpreter, element: Value, node: ir.Subscript) -> Value:
    """What stands for the elements of a slice: keys that begin behind the first one are some of those of the whole."""
    part = node.index[0] if node.index else None
    if not isinstance(part, ir.Slice) or not isinstance(element, Key) or element.ident is None:
        return element
    if part.lower is None or (isinstance(part.lower, ir.Constant) and part.lower.value == 0):
        return element
    return replace(element, ident=Part(element.ident, _slice_ident(it, part)))


def _sliced(it: Interpreter, elements: tuple[Value, ...], part: ir.Slice) -> Value:
    bounds = []
    for bound in (part.lower, part.upper, part.step):
        value = NONE if bound is None else it.eval(bound)
        if not (isinstance(value, Static) and value.known and isinstance(value.value, int | None)):
            return Iterable("tuple", join_all(elements))
        bounds.append(value.value)
    return Tuple(elements[slice(*bounds)]) if bounds[2] != 0 else STATIC


def _static(it: Interpreter, atom: Static, node: ir.Subscript, index: tuple[Operand, ...]) -> Value:
    if atom.type in ("str", "bytes", "tuple", "list"):
        _need_integer(it, index, node, "string" if atom.type == "str" else atom.type, ())
    if isinstance(atom.value, Devices):
        return device_lists.item(it, atom.value, node, index)
    return STATIC_STR if atom.type == "str" else STATIC


def _need_integer(
    it: Interpreter,
    index: tuple[Operand, ...],
    node: ir.Subscript,
    container: str,
    elements: tuple[Value, ...],
    *,
    declared: bool = False,
) -> None:
    """A container of Python wants an integer; a traced value cannot give one."""
    if not it.wants(IntegerNeeded):
        return
    for operand, part in zip(index, node.index):
        special_methods.call(it, operand.value, ("__index__",), part)
    if not any(has_no_value(atom) for operand in index for atom in atoms_of(operand.value)):
        it.works(node.at, IntegerNeeded)
    for operand, part in zip(index, node.index):
        if any(has_no_value(atom) for atom in atoms_of(operand.value)):
            use = "slice" if isinstance(part, ir.Slice) else "index"
            static_numbers.needed(it, operand.value)
            holds = element_kinds.unfit_for_arrays(it, elements)
            it.emit(IntegerNeeded(it.frame, node.at, operand, use, container, holds=holds, declared=declared))


def _noted(
    it: Interpreter, holder: Object, cell: ListCell | DictCell, index: tuple[Operand, ...], item: Value, at: int
) -> Value:
    """An item that traced code may have read from outside."""
    key = index[0].value if len(index) == 1 else None
    if it.frame.trace is not None and isinstance(key, Static) and isinstance(key.value, str | int):
        stale_reads.note_part(it, stale_reads.Part(holder.oid, key.value), cell.birth.frame, item, at)
    return item


def _object(it: Interpreter, atom: Object, node: ir.Subscript, index: tuple[Operand, ...]) -> Value:
    cell = it.cell(atom)
    match cell:
        case ListCell() if len(node.index) > 1:
            return it.unknown("an item of what takes several indices, as no list does", node.at)
        case ListCell():
            return _noted(it, atom, cell, index, _list(it, cell, node, index), node.at)
        case DictCell():
            return _noted(it, atom, cell, index, _dict_item(it, cell, node, index), node.at)
        case InstanceCell():
            method = it.attribute(atom, "__getitem__", node.at)
            if method.__class__ is Unknown:  # a store may come between two reads, unseen
                return it.unknown("an item of an object", node.at)
            if isinstance(method, Member):
                return _atom(it, atoms_of(method.receiver)[0], node, index, quiet=False)
            return functions.call_value(it, method, node, [operand.value for operand in index])
        case _:
            return it.unknown("an item of an object", node.at)


def _list(it: Interpreter, cell: ListCell, node: ir.Subscript, index: tuple[Operand, ...]) -> Value:
    if cell.elements is not None and not it.frame.flow.loops:
        return _list_item(it, cell, node, index)
    elements = (cell.element,) if cell.elements is None else cell.elements
    _need_integer(
        it, index, node, "list", elements, declared=cell.birth.declared and element_kinds.are_numbers(cell.element)
    )
    if _is_slice(node):
        birth = it.birth(node.at)._replace(declared=cell.birth.declared)
        return it.allocate(ListCell(birth, None, _later_keys(it, cell.element, node)))
    if cell.elements is not None:
        return _list_item(it, cell, node, index)
    return iteration.refresh(it, cell.element, iteration.picked(it))


def _list_item(it: Interpreter, cell: ListCell, node: ir.Subscript, index: tuple[Operand, ...]) -> Value:
    item = _sequence(it, cell.elements or (), node, index, "list")
    if isinstance(item, Tuple) and _is_slice(node):
        return it.allocate(ListCell(it.birth(node.at), item.elements, join_all(item.elements)))
    return item


def _dict_item(it: Interpreter, cell: DictCell, node: ir.Subscript, index: tuple[Operand, ...]) -> Value:
    key: Value = index[0].value if len(index) == 1 else Tuple(tuple(operand.value for operand in index))
    if has_no_hash(key) and it.wants(Hashed):
        it.emit(Hashed(it.frame, node.index[0].at, index[0], "dict key"))
    if all(map(has_no_hash, atoms_of(key))):
        return it.unknown(text_and_hash.UNFOUND, node.at)
    if isinstance(key, Static) and key.known:
        found = cell.items.get(key.value) if isinstance(key.value, str | int | float | bool | bytes) else None
        if found is not None:
            return found
        if cell.rest is not None:
            return iteration.entry(cell.rest, key.value)
        return it.unknown("a key that is not in the dict", node.at)
    values = [*cell.items.values(), *(() if cell.rest is None else (cell.rest,))]
    if not values:
        return it.unknown("an item of an empty dict", node.at)
    return iteration.refresh(it, join_all(values), iteration.picked(it))
