"""Attributes of a class as its instances see them: methods are bound, properties are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    BoundMethod,
    ClassValue,
    FunctionValue,
    InstanceCell,
    Key,
    Leaves,
    Level,
    Object,
    Partial,
    Qualified,
    Transformed,
    Union,
    Value,
    atoms_of,
    has_no_value,
)
from jaxlint.analysis.events.effects import CachedFunction
from jaxlint.analysis.machine.run_facts import CachedProperties
from jaxlint.analysis.python import calls, classes, functions
from jaxlint.analysis.python.functools_calls import CACHED, PARTIAL_METHOD
from jaxlint.analysis.source import class_reads, method_effects
from jaxlint.analysis.source.method_effects import methods
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def unbound(found: Value, cls: ClassValue) -> Value:
    """An attribute looked up on the class itself, whatever it was replaced with on some of the paths."""
    if isinstance(found, Union):
        return join_all([unbound(atom, cls) for atom in found.atoms])
    if isinstance(found, FunctionValue | Partial | Transformed) and found.binding == "classmethod":
        return BoundMethod(found, cls)
    return found


def bound(  # noqa: PLR0911 - dispatches on the kinds of attributes
    it: Interpreter, found: Value, cls: ClassValue, receiver: Value, at: int
) -> Value:
    """An attribute of the class looked up on an instance, whatever it was replaced with on some of the paths."""
    match found:
        case Union(atoms=atoms):
            return join_all([bound(it, atom, cls, receiver, at) for atom in atoms])
        case FunctionValue(binding="staticmethod"):
            return found
        case FunctionValue() | Partial() | Transformed() if found.binding == "classmethod":
            return BoundMethod(found, cls)
        case FunctionValue(binding="property"):
            return _property(it, found, receiver, at)
        case FunctionValue():
            return BoundMethod(found, receiver)
        case Partial(function=Qualified(name=name)) if name == PARTIAL_METHOD:
            method = bound(it, found.args[0], cls, receiver, at)
            return Partial(method, found.args[1:], found.keywords, found.made)
        case Partial(function=function) if not (isinstance(function, Qualified) and function.name == CACHED):
            return found  # partial objects are no descriptors
        case BoundMethod():
            return found  # it has its object
        case _ if calls.is_callable(found):
            return BoundMethod(found, receiver)
        case _:
            return found


def _property(it: Interpreter, found: FunctionValue, receiver: Value, at: int) -> Value:
    """Reading a property calls its getter; a cached one keeps what it gave, outside a trace if the object is older."""
    cached_at = _cached_at(it, found)
    if cached_at is not None and found.cls is not None and it.frame.trace is not None:
        name = found.function.name
        if not _is_of_the_trace(it, receiver) and method_effects.read_initially(
            classes.class_of(it, receiver) or found.cls, name
        ):
            return it.unknown(f"`{name}`, kept from before the trace", at)
    value = functions.call(it, found, Arguments([receiver], positional_at=[at]), at)
    if cached_at is not None and it.wants(CachedFunction) and not _lives_no_longer(it, receiver, value):
        traced = any(has_no_value(atom) for atom in atoms_of(value))
        place = Place(found.module.path, cached_at)
        it.emit(CachedFunction(it.frame, at, found.function.name, (), traced, place))
    return value


def assign(it: Interpreter, cls: ClassValue, receiver: Value, target: ir.Attribute, value: Value) -> bool:
    """Whether an attribute of the class is a property: its setter is called where one is known."""
    found = classes.find(it, cls, target.attr)
    if not isinstance(found, FunctionValue) or found.binding != "property" or _cached_at(it, found) is not None:
        return False
    if functions.only_declares(found.setter or found):
        return False  # a subclass has what there is to set
    if found.setter is not None:
        functions.call(it, found.setter, Arguments([receiver, value], positional_at=[target.base.at, -1]), target.at)
    return True


def _cached_at(it: Interpreter, found: FunctionValue) -> int | None:
    """Where a property was made one that keeps what its getter gave; None where it is none."""
    return it.tables[CachedProperties].made_at.get((found.module.path, found.function.index))


def _is_of_the_trace(it: Interpreter, receiver: Value) -> bool:
    """Whether an object was made in the innermost trace: what it caches goes with it."""
    trace = it.frame.trace
    cell = it.cell(receiver) if isinstance(receiver, Object) else None
    return trace is not None and isinstance(cell, InstanceCell) and cell.birth.frame >= trace.entry


def _lives_no_longer(it: Interpreter, receiver: Value, value: Value) -> bool:
    """Whether what an object caches is of a trace in which the object was made: each trace makes arguments anew.

    A derivative or a batch that is computed inside of that trace makes no tracers of its own from what is outside.
    """
    trace = it.frame.trace
    cell = it.cell(receiver) if isinstance(receiver, Object) else None
    if trace is None or not isinstance(cell, InstanceCell):
        return False
    levels = [atom.level for atom in atoms_of(value) if isinstance(atom, Array | Leaves | Key) and has_no_value(atom)]
    highest = max((each.level for each in trace.crossed(cell.birth.frame)), default=Level.HOST)
    return highest is Level.HOST or (bool(levels) and highest < min(levels))


def takes_receiver(it: Interpreter, method: FunctionValue) -> bool:
    """Whether the first parameter of a function in a class is the object, or the class, as far as can be seen.

    A function that is only read through the class gets none, unless its code takes the parameter for one.
    """
    function, cls = method.function, method.cls
    named = {node.id for node in function.decorators if isinstance(node, ir.Name)}
    if method.binding != "function" or "staticmethod" in named or cls is None or not function.parameters:
        return False
    names = [name for name, value in cls.namespace.items() if _binds(value, method)]
    if function.is_lambda and not names:
        return False  # it stands in a container, behind `staticmethod`, or is called at once
    if "classmethod" in named or class_reads.is_used_as_instance(cls, function, without=names):
        return True
    if names and _is_named_otherwise(cls, function) and not any(class_reads.is_read(it, name) for name in names):
        return False
    return not names or not all(class_reads.is_read_through_class(it, cls, name) for name in names)


def _is_named_otherwise(cls: ClassValue, function: ir.Function) -> bool:
    """Whether the initializer of a class calls its object by another name than that of a function's first parameter."""
    found = [each.parameters[0].name for each in methods(cls) if each.name == "__init__"]
    return bool(found) and function.parameters[0].name not in found


def _binds(value: Value, method: FunctionValue) -> bool:
    """Whether an attribute is a function or what a transform made of it; partial objects are no descriptors."""
    found = None if isinstance(value, Partial) else underlying(value)
    return found is not None and found.function is method.function
