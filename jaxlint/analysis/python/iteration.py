"""Iteration: the elements of a value, one pass of a loop at a time, and what consuming it tells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import ByKey, Each, Fresh, Ident, Item, OfObject, StartsAs
from jaxlint.analysis.domain.lattice import join_all, union
from jaxlint.analysis.domain.sharding_values import Device, Devices
from jaxlint.analysis.domain.values import (
    STATIC_INT,
    STATIC_STR,
    UNKNOWN,
    Array,
    Atom,
    DictCell,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Made,
    Object,
    SetCell,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    atoms_of,
    constant,
)
from jaxlint.analysis.events.effects import IteratorUse
from jaxlint.analysis.events.tracing import Iteration
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import special_methods, stale_reads
from jaxlint.analysis.typestate import donated_uses, key_arrays, static_numbers
from jaxlint.syntax import ir
from jaxlint.syntax.walks import assignment_targets, target_names

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Ranges up to this length are known element by element.
MAX_EXACT = 8


def walked(it: Interpreter, iterable: Value, node: ir.Expr, how: str = "for") -> Value:
    """What is walked over where a value is iterated over, which the rules are told."""
    if it.frame.state.donated:
        donated_uses.use_array(it, iterable, node)
    stale_reads.note_contents(it, iterable, node.at)
    for atom in atoms_of(iterable):
        if isinstance(atom, Iterable) and atom.once and it.wants(IteratorUse):
            it.emit(IteratorUse(it.frame, node.at, it.operand(iterable, node), how, atom.birth))
        elif isinstance(atom, Array) and it.wants(Iteration):
            it.emit(Iteration(it.frame, node.at, it.operand(iterable, node)))
    return own_iterator(it, iterable, node)


def own_iterator(it: Interpreter, iterable: Value, node: ir.Expr) -> Value:
    """What the methods of an object give to go through; else the value itself."""
    given = special_methods.call(it, iterable, ("__iter__",), node)
    source = special_methods.container(it, iterable, node.at) if given is None else given
    following = special_methods.call(it, source, ("__next__",), node)
    if following is not None:
        return Iterable("iterator", following, once=True)
    item = special_methods.call(it, source, ("__getitem__",), node, STATIC_INT) if source is iterable else None
    return source if item is None else Iterable("iterator", item)


def exact_elements(  # noqa: PLR0911 - dispatches on the kinds of values
    it: Interpreter, iterable: Value
) -> tuple[Value, ...] | None:
    """All elements in order, where they are all known."""
    match iterable:
        case Tuple():
            return iterable.elements
        case Iterable(kind="range", length=Static() as length) if length.known and isinstance(length.value, int):
            if 0 <= length.value <= MAX_EXACT:
                return tuple(constant(i) for i in range(length.value))
            return None
        case Object():
            return _cell_elements(it, iterable)
        case Static(value=Devices(count=int() as count) as devices) if count <= MAX_EXACT:
            return tuple(Static(Device(devices.platform, i, devices.of_all), "Device") for i in range(count))
        case Key(shape=(int() as count,)) if count <= MAX_EXACT:
            return tuple(key_arrays.element(it, iterable, i) for i in range(count))
        case Made(cls=cls):
            meaning = it.api.meaning(cls)  # an object of a class that is a named tuple has no other parts
            fields = meaning.args if meaning is not None and meaning.head == "record" else ()
            return tuple(it.attribute(iterable, field.head, -1) for field in fields) or None
        case _:
            return None


def _cell_elements(it: Interpreter, reference: Object) -> tuple[Value, ...] | None:
    match it.cell(reference):
        case ListCell(elements=elements):
            return elements
        case DictCell(items=items, rest=None):
            return tuple(constant(key) for key in items)
        case _:
            return None


def each(it: Interpreter, at: int, number: int = 0) -> Ident:
    """The index of an element met in a walk over all of them: the same walk in another call meets the same ones."""
    return Each(at, it.frame.iteration, number)


def picked(it: Interpreter) -> Ident:
    """The index of an element picked in a way that is not known: another pick may meet another one."""
    return Fresh(it.fresh())


def element(it: Interpreter, iterable: Value, at: int, index: Ident = None) -> Value:
    """An element of the value, told apart from the elements of other passes: by `index`, or as one of a walk."""
    index = index or each(it, at)
    return join_all([_atom_element(it, atom, at, index) for atom in atoms_of(iterable)])


def _atom_element(  # noqa: PLR0911 - dispatches on the kinds of values
    it: Interpreter, atom: Atom, at: int, index: Ident
) -> Value:
    match atom:
        case Array():
            shape = atom.shape[1:] if atom.shape else None
            level = atom.level if atom.level is Level.HOST else max(atom.level, it.frame.ambient)
            taken = Array(
                level, atom.dtype, shape, atom.weak, atom.origin, it.ident(at), atom.assumed, strong=atom.strong
            )
            static_numbers.combined(it, (atom,), taken)
            return taken
        case Key():
            return key_arrays.element(it, atom, index)
        case Leaves():
            return Leaves(atom.level, atom.origin, it.ident(at), atom.assumed, element=True)
        case Iterable(kind="range", length=length) if length is not None:
            key_arrays.walked(it, index, length)
            return Static(type="int", ident=index)
        case Iterable():
            if atom.once:  # no walk meets again what another one, or this one before, has met
                index = picked(it)
            return refresh(it, atom.element, index)
        case Tuple():
            return refresh(it, join_all(atom.elements), index) if atom.elements else UNKNOWN
        case Object():
            return _element_of_cell(it, atom, at, index)
        case Static(type="str"):
            return STATIC_STR
        case Static():
            return Static(ident=it.ident(at))
        case Unknown():
            return Unknown(it.element_ident(atom.ident, index), atom.reason)
        case _:
            return it.unknown("an element of an object", at)


def _element_of_cell(it: Interpreter, reference: Object, at: int, index: Ident) -> Value:
    match it.cell(reference):
        case ListCell(element=value) | SetCell(element=value):
            return refresh(it, value, index)
        case DictCell(items=items):
            types = {type(key).__name__ for key in items}
            return Static(type=types.pop(), ident=it.ident(at)) if len(types) == 1 else Static(ident=it.ident(at))
        case InstanceCell(cls=cls) if "__iter__" in cls.namespace:
            return it.unknown(f"an element of `{cls.name}`", at)
        case _:
            return it.unknown("an element of an object", at)


def any_of(it: Interpreter, value: Value, at: int) -> Value:
    """What stands for all elements: where they are different keys, one from which each of them gets its identity."""
    atoms = atoms_of(value)
    keys = [atom for atom in atoms if isinstance(atom, Key)]
    return replace(keys[0], ident=it.ident(at)) if len(keys) == len(atoms) > 1 else value


def refresh(it: Interpreter, value: Value, index: Ident) -> Value:
    """The same belief about another object: identities are new, all else stays."""
    match value:
        case Static():
            return Static(value.value, value.type, it.ident(-1))
        case Key() | Array() | Leaves():
            return replace(value, ident=it.element_ident(value.ident, index))
        case Unknown():
            return Unknown(it.element_ident(value.ident, index), value.reason)
        case Tuple():
            return Tuple(tuple(refresh(it, part, index) for part in value.elements), value.names, value.cls)
        case Union():
            return union(tuple(atom for part in value.atoms for atom in atoms_of(refresh(it, part, index))))
        case Object():
            return _another(it, value)
        case _:
            return value


def _another(it: Interpreter, reference: Object) -> Object:
    """Another object than the one that stands for all elements, where it holds keys: each has its own."""
    cell = it.cell(reference)
    if not isinstance(cell, InstanceCell) or not any(map(_holds_key, cell.attributes.values())):
        return reference
    attributes = {
        name: refresh(it, value, picked(it)) if _holds_key(value) else value for name, value in cell.attributes.items()
    }
    return it.allocate_element(reference, replace(cell, attributes=attributes, ident=OfObject(it.fresh())))


def _holds_key(value: Value) -> bool:
    return any(isinstance(atom, Key) for atom in atoms_of(value))


def entry(value: Value, key: object) -> Value:
    """The item under a key, of a container of which only the join of all items is known."""
    match value:
        case Key() | Unknown() if value.ident is not None:
            return replace(value, ident=Item(value.ident, ByKey(key)))
        case Array() if value.ident is not None:
            return replace(value, ident=None)
        case _:
            return value


def surely_runs(it: Interpreter, iterable: Value) -> bool:
    """Whether a loop over the value runs at least once."""
    match iterable:
        case Iterable(kind="range", length=Static() as length) if length.known:
            return isinstance(length.value, int) and length.value > 0
        case Tuple(elements=elements):
            return bool(elements)
        case Key(shape=(int() as count, *_)):
            return count > 0
        case _:
            return False


def forget_counters(it: Interpreter, body: ir.Block) -> None:
    """Before a loop: numbers that its body assigns are no longer known, but to a test before the body changes them."""
    env = it.frame.state.env
    for name in assigned_names(it, body):
        value = env.get(name)
        if isinstance(value, Static) and type(value.value) in (int, float, complex):
            env[name] = Static(type=value.type, ident=StartsAs(value.value, it.fresh()))


@memoised
def assigned_names(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names that a block assigns, nested functions aside."""
    return frozenset(name for target in assignment_targets(body) for name in target_names(target))


def met(it: Interpreter, value: Value, at: int, number: int) -> Value:
    """The element that a walk meets as its first, its second, ...: rows of an array, or any of the elements."""
    index = each(it, at, number)
    if isinstance(value, Key | Array):
        return element(it, value, at, index)
    return refresh(it, iterable_over(it, value, at), index)


def iterable_over(it: Interpreter, value: Value, at: int) -> Value:
    """What `iter(value)` walks over, for zip, enumerate, map ...: the element in general."""
    exact = None if isinstance(value, Key) else exact_elements(it, value)
    if exact:
        return join_all(exact)
    return element(it, value, at)
