"""What can be said of a function when it is given to `jit`: its static parameters, defaults, and `self`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis import classes, statics, transforms
from jaxlint.analysis.events import JitBinding, Operand, StaticArgument
from jaxlint.analysis.values import ClassValue, FunctionValue, Qualified, Value
from jaxlint.syntax.ir import ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter
    from jaxlint.analysis.transforms import Application

#: Options that name parameters of the function.
_OPTIONS = ("static_argnums", "static_argnames", "donate_argnums", "donate_argnames", "static_broadcasted_argnums")


def announce(it: Interpreter, target: Value, application: Application) -> None:
    """Tell the rules how a function was given to a transform, once all around it is known."""
    function = transforms.underlying(target)
    if function is None or application.row.level != "traced":
        return
    if it.wants(JitBinding):
        name = function.function.name
        mismatches = tuple(_mismatches(it, target, application))
        application.broken = bool(mismatches)
        fault = _self_fault(it, target, application)
        it.emit(JitBinding(application.frame, application.at, application, name, mismatches, fault))
    if it.wants(StaticArgument):
        _announce_defaults(it, target, function, application)


def _announce_defaults(it: Interpreter, target: Value, function: FunctionValue, application: Application) -> None:
    """Defaults of static parameters reach the cache key as arguments do."""
    for number, parameter in enumerate(transforms.parameter_names(it, target)):
        default = function.defaults.get(parameter.name)
        if default is None or parameter.default is None or not application.statics.holds(number, parameter.name):
            continue
        operand = Operand(default, function.closure, parameter.default.at)
        event = StaticArgument(it.frame, parameter.default.at, operand, parameter.name, application, is_default=True)
        it.emit(event)


def _mismatches(it: Interpreter, target: Value, application: Application) -> Iterator[tuple[str, int | str]]:
    """(option, name or index) that the function has no parameter for."""
    parameters = transforms.parameter_names(it, target)
    names = {parameter.name for parameter in parameters if parameter.kind is not ParameterKind.POSITIONAL_ONLY}
    takes_any = any(p.kind is ParameterKind.VAR_KEYWORD for p in parameters)
    takes_many = any(p.kind is ParameterKind.VAR_POSITIONAL for p in parameters)
    positional = [p for p in parameters if p.kind <= ParameterKind.POSITIONAL]
    for option in _OPTIONS:
        value = application.arguments.keywords.get(option)
        for constant in (statics.constants(it, value) or ()) if value is not None else ():
            if isinstance(constant, str) and constant not in names and not takes_any:
                yield option, constant
            elif isinstance(constant, int) and not takes_many and not -len(positional) <= constant < len(positional):
                yield option, constant


def _self_fault(it: Interpreter, target: Value, application: Application) -> tuple[str, str] | None:
    """What is wrong with `self` of a method that was decorated in its class: (class, fault)."""
    if application.name not in ("jax.jit", "jax.pmap") or not isinstance(target, FunctionValue):
        return None
    cls = target.cls
    if cls is None or target.binding != "function" or not target.function.parameters:
        return None
    receiver = target.function.parameters[0].name
    if application.statics.holds(0, receiver):
        return _static_self_fault(it, target, cls)
    if not application.statics.known or cls.kind in ("pytree", "module") or not _is_closed(cls):
        return None
    return cls.name, "no pytree"


def _is_closed(cls: ClassValue) -> bool:
    """Whether everything that could make the class a pytree is in sight."""
    if classes.open_ended(cls) or cls.kind == "enum":
        return False
    return all(isinstance(d, Qualified) and d.name.startswith(("dataclasses.", "functools.")) for d in cls.decorators)


def _static_self_fault(it: Interpreter, target: FunctionValue, cls: ClassValue) -> tuple[str, str] | None:
    if "__eq__" in cls.namespace and "__hash__" not in cls.namespace:
        return cls.name, "unhashable"
    if cls.kind == "dataclass" and _compares_by_value(cls):
        return cls.name, "unhashable"
    changing = classes.reassigned_attributes(it, cls)
    receiver = target.function.parameters[0].name
    for name in classes.read_attributes(target.function.body, receiver):
        if name in changing:
            return cls.name, f"self.{name}"
    return None


def _compares_by_value(cls: ClassValue) -> bool:
    """A plain dataclass has `__eq__` and so no hash, unless it is frozen or says otherwise."""
    if "__hash__" in cls.namespace:
        return False
    return not any(
        name in ("frozen", "unsafe_hash", "eq") for decorator in cls.cls.decorators for name in classes.keyword_names(decorator)
    )
