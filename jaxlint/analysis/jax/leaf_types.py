"""What JAX refuses as a leaf of arguments and results: anything but arrays, numbers and None.

Under-approximates: a value counts only where everything that could make it a pytree, or an array, is in sight.
"""

from __future__ import annotations

from collections.abc import Iterable as Several
from collections.abc import Iterator
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.application import Application, short_name
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import (
    Atom,
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Iterable,
    ListCell,
    Made,
    Member,
    Object,
    Partial,
    Qualified,
    SetCell,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.pytrees import InvalidLeaf, LeafFault, UnsortableKeys
from jaxlint.analysis.jax import pytree_classes
from jaxlint.analysis.machine.run_facts import Callees, OrderedMappings
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING, leaves_of
from jaxlint.analysis.source import refused_values
from jaxlint.diagnostics import Confidence
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_TEXT: Final = {"str": "a string", "bytes": "a bytes object"}
_COLLECTIONS: Final = {
    "set": "a set", "frozenset": "a frozenset", "keys": "a view of keys", "values": "a view of values",
    "items": "a view of items", "range": "a range",
}  # fmt: skip
_ITERATORS: Final = {
    "generator": "a generator", "map": "a `map` object", "zip": "a `zip` object", "filter": "a `filter` object",
    "enumerate": "an `enumerate` object", "reversed": "a reversed iterator", "iterator": "an iterator",
}  # fmt: skip


def check_argument(it: Interpreter, application: Application, operand: Operand, parameter: str | None) -> bool:
    """Tell the rules of an argument that is traced, but holds what cannot be; whether the call surely fails at that."""
    name = application.name
    if it.api.has(name, "checks-leaves"):
        for fault in first(chain(_as_view(it, operand), faults(it, operand.value))):
            statics = it.api.has(name, "hashes-statics")
            name = application.short_name
            at = _place(it, operand, fault)
            it.emit(InvalidLeaf(it.frame, at, operand, name, parameter, fault, statics, application))
            return fault.confidence is Confidence.CERTAIN
    elif it.api.has(name, "flattens"):
        check_keys(it, operand, application.short_name)
    return False


def check_mapped(it: Interpreter, operand: Operand, function: Value, name: str) -> None:
    """Tell the rules of a set among the leaves that a function of trees computes with."""
    if it.wants(InvalidLeaf) and _computes(it, function):
        found = (f for f in faults(it, operand.value) if f.is_nested and f.kind in ("collection", "iterator"))
        for fault in first(found):
            it.emit(InvalidLeaf(it.frame, _place(it, operand, fault), operand, name, None, fault))


def _computes(it: Interpreter, function: Value) -> bool:
    """Whether a function of one leaf is one of arrays, or an expression that calculates with its parameter."""
    if isinstance(function, Qualified):
        return it.api.is_of(function.name, "core")
    if not isinstance(function, FunctionValue) or not function.function.parameters:
        return False
    leaf = function.function.parameters[0].name
    operations = (node for node in walks.nodes(function.function.body) if isinstance(node, ir.BinaryOperation))
    operands = (part for each in operations if each.op in _ARITHMETIC for part in (each.left, each.right))
    return any(isinstance(part, ir.Name) and part.id == leaf for part in operands)


#: Operators that no set has.
_ARITHMETIC: Final = frozenset({"+", "*", "/", "//", "%", "**", "@"})


def _place(it: Interpreter, operand: Operand, fault: LeafFault) -> int:
    """Where a set is made in this file, which is what has to change; else where it is given."""
    made = fault.made
    return made.at if made is not None and made.path == it.frame.path and fault.kind == "collection" else operand.at


def _made(it: Interpreter, atom: Atom) -> Place | None:
    cell = it.cell(atom) if isinstance(atom, Object) else None
    return Place(cell.birth.path, cell.birth.at) if isinstance(cell, SetCell) else None


def _as_view(it: Interpreter, operand: Operand) -> Iterator[LeafFault]:
    """The view of a dict that the argument is where it is made in its place: of known items, values are but a tuple."""
    callee = it.tables[Callees].by_call.get((it.frame.path, operand.at))
    if not isinstance(callee, Member) or callee.name not in ("values", "items"):
        return
    if isinstance(callee.receiver, Object) and isinstance(it.cell(callee.receiver), DictCell):
        yield LeafFault("collection", _COLLECTIONS[callee.name], False, Confidence.CERTAIN)


def check_result(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """Tell the rules of a result of the function that the innermost trace runs, if JAX cannot take it."""
    trace = it.frame.trace
    caveats = it.frame.caveats
    if trace is None or trace.body is not it.frame or not it.wants(InvalidLeaf):
        return
    if caveats.assumed or caveats.type_asked:
        return  # code around an assumed trace may take the result first; what is of the type asked for may never come
    if not it.api.has(trace.transform, "checks-leaves"):
        return
    checked = _without_aux(it, trace.application, trace.transform, value)
    if checked is not None and it.facts.numbers:
        it.tell_numbers(leaves_of(it, checked))
    for fault in first(faults(it, checked)) if checked is not None else ():
        may_raise = refused_values.are_looked_through(it, it.frame.body, node)
        told = fault._replace(confidence=Confidence.POSSIBLE) if may_raise else fault
        operand = Operand(value, it.frame, node.at)
        it.emit(InvalidLeaf(it.frame, node.at, operand, short_name(trace.transform), "", told))


def _without_aux(it: Interpreter, application: Application | None, name: str, value: Value) -> Value | None:
    """The part of a result that must be arrays; None where it is not known which part that is."""
    row = it.api.transform(name)
    if row is None or row.aux is None or it.api.has(name, "maps-aux"):
        return value
    if application is None:
        return None
    flag = application.arguments.get(None, row.aux)
    if flag is None or (isinstance(flag, Static) and flag.value is False):
        return value
    return None


def check_keys(it: Interpreter, operand: Operand, function: str) -> None:
    """Tell the rules of a dict in a tree whose keys cannot be sorted."""
    if it.wants(UnsortableKeys):
        found = (fault for fault in faults(it, operand.value, keys_only=True) if fault.kind == "keys")
        for fault in first(found):
            it.emit(UnsortableKeys(it.frame, operand.at, operand, function, fault))


def first(found: Several[LeafFault]) -> Several[LeafFault]:
    """The first fault, if there is one: the call fails at that."""
    one = next(iter(found), None)
    return () if one is None else (one,)


def are_traceable(it: Interpreter, value: Value) -> bool:
    """Whether JAX may take all leaves of a value as an argument; of `partial`, it takes only its own class."""
    is_bound = any(isinstance(atom, Partial) and not atom.is_pytree for atom in atoms_of(value))
    return not is_bound and not any(True for _ in faults(it, value))


def faults(
    it: Interpreter,
    value: Value,
    *,
    depth: int = 0,
    sure: Confidence = Confidence.CERTAIN,
    keys_only: bool = False,
) -> Iterator[LeafFault]:
    """The leaves of a value that JAX refuses, in order; `keys_only`: only dicts that it cannot flatten."""
    if depth > MAX_NESTING:
        return
    atoms = atoms_of(value)
    if any(isinstance(atom, Unknown) and not isinstance(atom, Made) for atom in atoms):
        return
    of_atoms = [list(_faults_of(it, atom, depth, sure, keys_only=keys_only)) for atom in atoms]
    if len(atoms) > 1 and not all(of_atoms):  # else the call fails whichever comes
        lower = Confidence.LIKELY if sum(not is_none(atom) for atom in atoms) == 1 else _ONE_OF_MANY
        of_atoms = [[f._replace(confidence=_least_sure(f.confidence, lower)) for f in found] for found in of_atoms]
    yield from chain.from_iterable(of_atoms)


def _faults_of(it: Interpreter, atom: Atom, depth: int, sure: Confidence, *, keys_only: bool) -> Iterator[LeafFault]:
    """The same of what a value is."""
    if not keys_only:
        found = _fault(it, atom)
        if found is not None:
            yield LeafFault(*found, depth > 0, _sureness(it, atom, sure), _made(it, atom))
            return
    for part, always in _parts(it, atom):
        certainty = sure if always else _least_sure(sure, _ONE_OF_MANY)
        yield from faults(it, part, depth=depth + 1, sure=certainty, keys_only=keys_only)
    unsortable = _unsortable(it, atom)
    if unsortable:
        yield LeafFault("keys", unsortable, depth > 0, sure)


#: What joins of different kinds hold are often values that do not come here together.
_ONE_OF_MANY: Final = Confidence.POSSIBLE


def _least_sure(one: Confidence, other: Confidence) -> Confidence:
    return max(one, other, key=lambda confidence: confidence.rank)


def _fault(it: Interpreter, atom: Atom) -> tuple[str, str] | None:  # noqa: PLR0911 - dispatches on values
    """The kind of a leaf that JAX refuses, and what it is; None for one that it may take."""
    match atom:
        case Static(type=str(kind)) if kind in _TEXT:
            return "text", _TEXT[kind]
        case Static(type="enum"):
            return "enum", "a member of an enumeration"
        case Iterable(kind=kind) if kind in _COLLECTIONS:
            return "collection", _COLLECTIONS[kind]
        case Iterable(kind=kind) if kind in _ITERATORS:
            return "iterator", _ITERATORS[kind]
        case FunctionValue():
            return "function", "a function"
        case BoundMethod(function=FunctionValue(cls=ClassValue() as cls)) if pytree_classes.is_plain(it, cls):
            return "function", "a method"
        case Transformed(application=application) if it.api.has(application.name, "checks-leaves"):
            return "function", "a function"
        case Qualified(name=name) if it.api.is_of(name, "core") and it.api.function(name) is not None:
            return None if it.api.has(name, "scalar-type") else ("function", "a function")
        case ClassValue():
            return "function", "a class"
        case Made(cls=name) if is_no_tree(it, name):
            return "instance", f"an object of `{short_name(name)}`"
        case Object():
            return _object_fault(it, atom)
        case _:
            return None


def is_no_tree(it: Interpreter, name: str) -> bool:
    """Whether objects of a library's class are known to be no leaves and no trees of arrays."""
    while name:
        if it.api.has(name, "no-tree"):
            return True
        row = it.api.object(name)
        name = "" if row is None else row.like
    return False


def _derives_from_no_tree(it: Interpreter, cls: ClassValue) -> bool:
    names = (base.name for base in cls.bases if isinstance(base, Qualified))
    own = (base for base in cls.bases if isinstance(base, ClassValue))
    return any(is_no_tree(it, name) for name in names) or any(_derives_from_no_tree(it, base) for base in own)


def _sureness(it: Interpreter, atom: Atom, sure: Confidence) -> Confidence:
    """How sure it is that a leaf is what it seems: an object that nobody in sight made may be of a class below."""
    cell = it.cell(atom) if isinstance(atom, Object) else None
    if not isinstance(cell, InstanceCell):
        return sure
    return Confidence.POSSIBLE if sure is not Confidence.CERTAIN or cell.open else sure


def _object_fault(it: Interpreter, atom: Object) -> tuple[str, str] | None:
    cell = it.cell(atom)
    if isinstance(cell, SetCell):
        return "collection", "a set"
    if isinstance(cell, InstanceCell) and (
        pytree_classes.is_plain(it, cell.cls, exactly=not cell.open) or _derives_from_no_tree(it, cell.cls)
    ):
        return "instance", f"an instance of `{cell.cls.name}`"
    return None


def _parts(it: Interpreter, atom: Atom) -> Iterator[tuple[Value, bool]]:
    """What a container holds, and whether it surely holds it."""
    match atom:
        case Tuple(elements=elements):
            yield from ((element, True) for element in elements)
        case Iterable(kind="tuple" | "sequence", element=element):
            yield element, False
        case Object():
            yield from _parts_of_cell(it.cell(atom))


def _parts_of_cell(cell: Any) -> Iterator[tuple[Value, bool]]:
    match cell:
        case ListCell(elements=tuple() as elements):
            yield from ((element, True) for element in elements)
        case ListCell(element=element):
            yield element, False
        case DictCell(items=items, rest=rest):
            yield from ((item, True) for item in items.values())
            if rest is not None:
                yield rest, False
        case InstanceCell(cls=cls, attributes=attributes) if cls.kind == "pytree":
            static = class_fields.statics(cls)
            known = class_fields.fields(cls) or class_fields.leaves(cls)
            yield from ((value, True) for name, value in attributes.items() if name in known and name not in static)


# --- keys


def _unsortable(it: Interpreter, atom: Atom) -> str:
    """Two keys of a dict that cannot be compared, as a message shows them; empty where there are none."""
    cell = it.cell(atom) if isinstance(atom, Object) else None
    if not isinstance(cell, DictCell) or len(cell.items) < 2:
        return ""
    if (cell.birth.path, cell.birth.at) in it.tables[OrderedMappings].made_at:
        return ""
    pairs = combinations(cell.items, 2)
    return next((f"`{one!r}` and `{other!r}`" for one, other in pairs if not _are_ordered(one, other)), "")


def _are_ordered(one: Any, other: Any) -> bool:
    try:
        sorted((one, other))
    except TypeError:
        return False
    return True
