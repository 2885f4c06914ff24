"""What can be said of a function when it is given to `jit`: its static parameters, defaults, and `self`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import Application, underlying
from jaxlint.analysis.domain.values import (
    ClassValue,
    DictCell,
    FunctionValue,
    ListCell,
    Partial,
    SetCell,
    Transformed,
    Union,
    Unknown,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.compilation import JitBinding, StaticArgument
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import pytree_classes, statics, traced_calls
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import binding, class_hashes, descriptors, type_hints
from jaxlint.analysis.source import method_effects, set_up
from jaxlint.syntax import ir, walks
from jaxlint.syntax.ir import ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Options that name parameters of the function.
_OPTIONS = ("static_argnums", "static_argnames", "donate_argnums", "donate_argnames", "static_broadcasted_argnums")


def announce(it: Interpreter, target: Value, application: Application) -> None:
    """Tell the rules how a function was given to a transform, once all around it is known."""
    function = underlying(target)
    if function is None or application.row.level != "traced":
        return
    if it.wants(JitBinding):
        name = function.function.name
        mismatches = tuple(_mismatches(it, target, application))
        application.broken = bool(mismatches)
        fault, hashable, sure = _self_fault(it, target, application), True, True
        if fault is not None and function.cls is not None:
            hashable = not class_hashes.is_unhashable(function.cls)
            sure = not set_up.is_set_up(it, function.cls, fault[1].removeprefix("self."), function.function.name)
        it.emit(JitBinding(application.frame, application.at, application, name, mismatches, fault, hashable, sure))
    hashes = it.api.has(application.name, "hashes-statics")
    is_called = application.called or function.function.name in _called_names(it, function.closure.body)
    if it.wants(StaticArgument) and hashes and not is_called:  # a call shows what is passed
        _announce_annotations(it, target, function, application)


def _announce_annotations(it: Interpreter, target: Value, function: FunctionValue, application: Application) -> None:
    """A static parameter whose annotation asks for a list or an array can never be given one.

    A default is not hashed while the argument is left out, as run on JAX 0.10.2, so defaults say nothing.
    """
    for number, parameter in enumerate(traced_calls.parameter_names(it, target)):
        if parameter.annotation is None or not application.statics.holds(number, parameter.name):
            continue
        if _is_read_by_attribute(it, function.function, parameter.name):
            continue  # it is no container, whatever the annotation says
        bound = _partly_bound(it, function.closure.body).get(function.function.name, {})
        if number < max(bound.values(), default=0) or parameter.name in bound:
            continue  # what is given shows where the rest is
        value = binding.in_scope_of(it, function, parameter, Unknown())
        if any(isinstance(atom, Unknown) for atom in atoms_of(value)):
            value = _of_named_class(it, function, parameter)
        home = function.closure
        operand = Operand(value, home, parameter.at)
        event = StaticArgument(home, parameter.at, operand, parameter.name, application, True, it.held)
        it.emit(event)


def _of_named_class(it: Interpreter, function: FunctionValue, parameter: ir.Parameter) -> Value:
    """What an annotation that says nothing of elements allows: an empty container of its class, or something else."""
    assert parameter.annotation is not None
    unknown, birth = Unknown(), it.birth(parameter.at)
    match type_hints.unhashable_class(it, function.closure, parameter.annotation):
        case "list":
            return Union((it.allocate(ListCell(birth, None, unknown)), unknown))
        case "dict":
            return Union((it.allocate(DictCell(birth, {}, unknown)), unknown))
        case "set":
            return Union((it.allocate(SetCell(birth, unknown)), unknown))
        case _:
            return unknown


@memoised
def _called_names(_: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names that a scope, or what stands in it, calls."""
    calls = (node for node in walks.nodes(body) if isinstance(node, ir.Call))
    return frozenset(call.func.id for call in calls if isinstance(call.func, ir.Name))


@memoised
def _partly_bound(_: Interpreter, body: ir.Block) -> dict[str, dict[str, int]]:
    """By the name of a function, what `partial` gives it: keywords, each with the number of positional arguments."""
    found: dict[str, dict[str, int]] = {}
    for node in walks.nodes(body):
        if isinstance(node, ir.Call) and walks.spelling(node.func).lstrip(".") == "partial" and node.args:
            given = {name or "": len(node.args) - 1 for name, _ in (*node.keywords, ("", None))}
            found.setdefault(walks.dotted(node.args[0]), {}).update(given)
    return found


@memoised
def _is_read_by_attribute(_: Interpreter, function: ir.Function, name: str) -> bool:
    """Whether code reads attributes of a parameter by names that it computes."""
    calls = (node for node in walks.nodes(function.body) if isinstance(node, ir.Call) and node.args)
    return any(walks.dotted(call.func) == "getattr" and walks.dotted(call.args[0]) == name for call in calls)


def _mismatches(it: Interpreter, target: Value, application: Application) -> Iterator[tuple[str, int | str]]:
    """(option, name or index) that the function has no parameter for."""
    parameters = traced_calls.declared_parameters(it, target)
    if parameters is None:
        return
    names = {parameter.name for parameter in parameters if parameter.kind is not ParameterKind.POSITIONAL_ONLY}
    while isinstance(target, Partial | Transformed):
        names.update(target.keywords if isinstance(target, Partial) else ())
        target = target.function if isinstance(target, Partial) else target.application.target
    takes_any = any(p.kind is ParameterKind.VAR_KEYWORD for p in parameters)
    takes_many = any(p.kind is ParameterKind.VAR_POSITIONAL for p in parameters)
    positional = [p for p in parameters if p.kind <= ParameterKind.POSITIONAL]
    for option in _OPTIONS:
        value = application.arguments.keywords.get(option)
        for constant in (statics.constants(it, value) or ()) if value is not None else ():
            if (isinstance(constant, str) and constant not in names and not takes_any) or (
                isinstance(constant, int) and not takes_many and not -len(positional) <= constant < len(positional)
            ):
                yield option, constant


def _self_fault(it: Interpreter, target: Value, application: Application) -> tuple[str, str] | None:
    """What is wrong with `self` of a method that was decorated in its class: (class, fault)."""
    if not it.api.has(application.name, "pytrees-only") or not isinstance(target, FunctionValue):
        return None
    cls = target.cls
    if cls is None or not descriptors.takes_receiver(it, target):
        return None
    receiver = target.function.parameters[0].name
    if application.statics.holds(0, receiver):
        return _static_self_fault(it, target, cls)
    if not application.statics.known or pytree_classes.may_be_tree(it, cls) or not pytree_classes.is_closed(it, cls):
        return None
    return cls.name, "no pytree"


def _static_self_fault(it: Interpreter, target: FunctionValue, cls: ClassValue) -> tuple[str, str] | None:
    if class_hashes.is_unhashable(cls):
        return cls.name, "unhashable"
    function = target.function
    used = method_effects.read_attributes(function.body, function.parameters[0].name)  # or assigned
    stores = {name: method_effects.stores_of(it, cls, name) for name in used}
    stored = [name for name, found in stores.items() if any(f is not function for f, _ in found)]
    changed = [name for name in stored if set_up.reads_from_before(function, name)]
    if not changed:
        return None
    again = [name for name in changed if not set_up.is_set_up(it, cls, name, function.name)]
    return cls.name, f"self.{(again or changed)[0]}"
