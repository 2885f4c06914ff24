"""How JAX makes an object of a pytree class anew: which function does it, and whether the initializer runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.values import ClassValue, FunctionValue, Partial, Qualified, Static, Value
from jaxlint.analysis.machine.run_facts import PytreeRegistrations
from jaxlint.analysis.python import classes
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class Unflattening(NamedTuple):
    """The function that makes an object of its children: its code, and the names of its parameters.

    `cls` is empty where the function names the class itself.
    """

    function: ir.Function
    cls: str
    auxiliary: str
    children: str


def unflattening(it: Interpreter, cls: ClassValue) -> Unflattening | None:
    """The project's own function that unflattens objects of a class; None where none is in sight."""
    registered = it.tables[PytreeRegistrations].unflatten.get(id(cls))
    if registered is not None:
        return _with_parameters(registered.function, has_class=False)
    found = cls.namespace.get("tree_unflatten")
    if isinstance(found, FunctionValue) and found.binding in ("classmethod", "staticmethod"):
        return _with_parameters(found.function, has_class=found.binding == "classmethod")
    return None


def _with_parameters(function: ir.Function, *, has_class: bool) -> Unflattening | None:
    names = [parameter.name for parameter in function.parameters]
    if len(names) != 2 + has_class:
        return None
    return Unflattening(function, names[0] if has_class else "", names[-2], names[-1])


def made(cls: ClassValue, how: Unflattening) -> ir.Call | None:
    """The call of the class in the function that unflattens: `return cls(*children)`."""
    names = {how.cls or cls.name, cls.name}
    calls = [
        part
        for part in walks.nodes(how.function.body)
        if isinstance(part, ir.Call) and isinstance(part.func, ir.Name) and part.func.id in names
    ]
    return calls[0] if len(calls) == 1 else None


_FLATTENING: Final = frozenset({"tree_flatten", "tree_flatten_with_keys"})


def runs_initializer(it: Interpreter, cls: ClassValue) -> str:
    """What makes JAX run the initializer of a class for each object that it unflattens; empty where it does not."""
    how = unflattening(it, cls)
    if how is not None:
        return "" if made(cls, how) is None else f"`{how.function.name}`" if not how.function.is_lambda else "a lambda"
    if cls.flatten is not None or not _FLATTENING.isdisjoint(cls.namespace):
        return ""
    names = (*map(_library_name, cls.decorators), *map(_library_name, cls.bases))
    if id(cls) in it.tables[PytreeRegistrations].as_fields:
        names = (*names, it.tables[PytreeRegistrations].as_fields[id(cls)])
    return next((f"`{_short(name)}`" for name in names if name and it.api.has(name, "unflattens-by-call")), "")


def _library_name(value: Value) -> str:
    """The library function or class behind a decorator or base."""
    while isinstance(value, Partial):
        value = value.args[0] if value.args else value.function
    return value.name if isinstance(value, Qualified) else ""


def _short(name: str) -> str:
    parts = name.split(".")
    return ".".join(parts[-2:])


def initializer(it: Interpreter, cls: ClassValue) -> FunctionValue | None:
    """The code of the project that runs when an object is made: `__init__`, or what a written initializer calls."""
    found = classes.find(it, cls, "__init__") or classes.find(it, cls, cls.after)
    return found if isinstance(found, FunctionValue) else None


def options(it: Interpreter, cls: ClassValue, made_by: FunctionValue) -> dict[str, Static]:
    """The arguments of an initializer that are the same constant each time JAX makes an object anew, by their names.

    The call in the project's own function gives them, or leaves them at their defaults.
    """
    how = unflattening(it, cls)
    call = None if how is None else made(cls, how)
    if call is None:
        return {}
    defaults = _defaults(it, cls, made_by)
    given: dict[str | None, ir.Expr] = {**dict(zip(defaults, call.args)), **dict(call.keywords)}
    if None in given or any(isinstance(each, ir.Starred) for each in call.args):
        defaults = {}  # what the call gives besides may be any of them
        given = dict(call.keywords)
    constants = {name: Static(value.value) for name, value in given.items() if name and isinstance(value, ir.Constant)}
    left = {name: value for name, value in defaults.items() if name not in given and value is not None}
    return {**left, **constants}


def _defaults(it: Interpreter, cls: ClassValue, made_by: FunctionValue) -> dict[str, Static | None]:
    """The parameters that take an object's arguments, in order, and those of their defaults that are constants."""
    if made_by.function.name == "__init__":
        parameters = made_by.function.parameters[1:]
        written = {parameter.name: parameter.default for parameter in parameters}
        return {n: Static(d.value) if isinstance(d, ir.Constant) else None for n, d in written.items()}
    held = {name: classes.find(it, cls, name) for name in fields(cls)}
    return {name: value if isinstance(value, Static) and value.known else None for name, value in held.items()}
