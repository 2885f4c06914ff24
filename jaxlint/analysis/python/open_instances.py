"""Objects of which nobody has seen the making: known by an annotation, or as the `self` of a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.idents import FieldOf, OfSelf
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    BoundMethod,
    Cell,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    ListCell,
    Made,
    Object,
    Partial,
    Transformed,
    Tuple,
    Unknown,
    Value,
)
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import binding, classes, functions, record_classes
from jaxlint.analysis.source import method_effects
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def annotated(it: Interpreter, cls: ClassValue, value: Unknown) -> Value:
    """Some instance of a project class, known by an annotation only."""
    if cls.kind == "enum":
        return value
    if cls.kind == "namedtuple":
        parts = tuple(Unknown(FieldOf(value.ident, name), value.reason) for name in fields(cls))
        return Tuple(parts, tuple(fields(cls)), cls)
    if cls.kind == "typeddict":
        return record_classes.annotated_dict(it, cls, value)
    return it.allocate(InstanceCell(it.birth(cls.cls.at), cls, {}, True, cls.name, value.ident))


def of_self(it: Interpreter, cls: ClassValue, parameter: ir.Parameter) -> Value:
    """`self` of a method of which no call is known: what `__init__` set and no other method changes."""
    after = settled(it, cls)
    cell = InstanceCell(it.birth(parameter.at), cls, after.attributes, True, "self", OfSelf(it.fresh()))
    reference = it.allocate(cell)
    attributes = {name: _rebound(value, after.own, reference) for name, value in after.attributes.items()}
    for name, log in after.logs.items():
        filled = ListCell(cell.birth, None, UNKNOWN) if isinstance(log, ListCell) else DictCell(cell.birth, {}, UNKNOWN)
        attributes[name] = it.allocate(filled)
    it.frame.state.write(reference.oid, replace(cell, attributes=attributes))
    return reference


def _rebound(value: Value, old: Object | None, new: Object) -> Value:
    """What an initializer made of methods of its object, `jax.jit(self.step)`, as another object has it."""
    match value:
        case Object(oid=oid):
            return new if old is not None and oid == old.oid else value
        case BoundMethod():
            return BoundMethod(value.function, _rebound(value.receiver, old, new))
        case Partial():
            return replace(value, function=_rebound(value.function, old, new))
        case Transformed():
            target = _rebound(value.application.target, old, new)
            return Transformed(replace(value.application, target=target))
        case _:
            return value


class AfterInitializer(NamedTuple):
    """Attributes that are what the initializer made them, and the object whose they were."""

    cls: ClassValue
    attributes: dict[str, Value]
    own: Object | None = None
    logs: Mapping[str, Cell] = MappingProxyType({})  # the containers that it makes, empty at first


@dataclass(slots=True)
class _Settled(Table):
    """What initializers leave, by the address of the class, which is kept alive, or by the object that is known."""

    by_class: dict[int, AfterInitializer] = field(default_factory=dict)
    by_object: dict[int, AfterInitializer] = field(default_factory=dict)


#: Calls as deep as this look into no initializer.
_DEEP: Final = 4


def settled(it: Interpreter, cls: ClassValue) -> AfterInitializer:
    """The attributes after `__init__` on unknown arguments, less those that other methods assign."""
    known = it.tables[_Settled].by_class
    found = known.get(id(cls))
    if found is not None:
        return found
    if it.frame.depth > _DEEP:
        return AfterInitializer(cls, {})  # kept for nobody: who asks from further out may know more
    known[id(cls)] = AfterInitializer(cls, {})
    initializer = classes.find(it, cls, "__init__") or classes.find(it, cls, "setup")
    if not isinstance(initializer, FunctionValue):
        return known[id(cls)]
    reference = it.allocate(InstanceCell(it.birth(cls.cls.at), cls, {}, True, "self", OfSelf(it.fresh())))
    known[id(cls)] = _after(it, cls, initializer, reference)
    return known[id(cls)]


def set_up(it: Interpreter, reference: Object, cell: InstanceCell) -> AfterInitializer:
    """The same after `setup`, which a framework runs, of an object that was seen to be made."""
    known, method = it.tables[_Settled].by_object, classes.find(it, cell.cls, "setup")
    if cell.open or not isinstance(method, FunctionValue) or it.frame.depth > _DEEP:
        return settled(it, cell.cls)
    if reference.oid not in known:
        known[reference.oid] = AfterInitializer(cell.cls, {})
        copy = it.allocate(replace(cell, birth=it.birth(cell.cls.cls.at)))
        known[reference.oid] = _after(it, cell.cls, method, copy)
    return known[reference.oid]


def _after(it: Interpreter, cls: ClassValue, initializer: FunctionValue, reference: Object) -> AfterInitializer:
    before = it.frame.state
    it.frame.state = before.fork()
    functions.call(it, initializer, _unknown_arguments(it, initializer, reference), cls.cls.at)
    cell = it.cell(reference)
    attributes = cell.attributes if isinstance(cell, InstanceCell) else {}
    changing = method_effects.reassigned_attributes(it, cls)
    lasting = {name: value for name, value in attributes.items() if name not in changing}
    kept = {name: value for name, value in lasting.items() if _is_timeless(value)}
    held = {name: it.held(value.oid) for name, value in lasting.items() if isinstance(value, Object)}
    it.frame.state = before
    return AfterInitializer(cls, kept, reference, {n: c for n, c in held.items() if _is_empty(c)})


def _is_empty(cell: Cell | None) -> bool:
    match cell:
        case ListCell():
            return cell.elements == ()
        case DictCell():
            return not cell.items and cell.rest is None
        case _:
            return False


def _is_timeless(value: Value) -> bool:
    """Values that mean the same outside the state they were made in: anything but heap objects."""
    return isinstance(value, Made) or not isinstance(value, Object | Unknown)


def _unknown_arguments(it: Interpreter, function: FunctionValue, receiver: Value) -> Arguments:
    env = binding.open_parameters(it, function)
    first = function.function.parameters[0].name if function.function.parameters else ""
    return Arguments([receiver], {name: value for name, value in env.items() if name != first}, [-1], extra=False)
