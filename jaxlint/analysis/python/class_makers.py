"""Decorators of classes that are functions of the project: what they make of a class, and what else they do.

Its own `pytree_dataclass` around `dataclasses` makes classes as a library's does; others put them into registries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.values import Arguments, BoundMethod, ClassValue, FunctionValue, Partial, Value
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python.library_names import function_in, named_in
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def kinds(it: Interpreter, decorator: Value) -> tuple[str, ...]:
    """What a decorator that is a function of the project makes of a class: what it names says so."""
    function = underlying(decorator)
    return () if function is None else _kinds(it, function)


def run(it: Interpreter, decorator: Value, cls: ClassValue, node: ir.Expr) -> None:
    """Call a decorator that is a function of the project for what it does; the class stays what its statement says."""
    code = decorator
    while isinstance(code, Partial | BoundMethod):
        code = code.function
    if isinstance(code, FunctionValue):
        it.call(decorator, Arguments([cls], positional_at=[node.at]), node)


def kinds_by_base(it: Interpreter, hears: Value | None) -> tuple[str, ...]:
    """What `__init_subclass__` of a base class makes of a class, by itself or by a helper that it gives the class to.

    The source says so: a call that is like an earlier one is not interpreted again for each class.
    """
    return tuple(kind for function in _told(hears) for kind in _kinds(it, function))


def flattening(it: Interpreter, cls: ClassValue, hears: Value | None) -> ir.Function | None:
    """The function in what makes a class that it registers it with: of many classes, not every call is interpreted."""
    by_decorator = filter(None, map(underlying, cls.decorators))
    found = (_flattening(it, function) for function in (*by_decorator, *_told(hears)))
    return next(filter(None, found), None)


def _told(hears: Value | None) -> Iterator[FunctionValue]:
    """`__init_subclass__` of a base class, and the helpers that it gives the class to."""
    if not isinstance(hears, FunctionValue) or not hears.function.parameters:
        return
    yield hears
    heard = hears.function.parameters[0].name
    for call in _calls(hears):
        helper = function_in(hears, call.func)
        if helper is not None and any(isinstance(each, ir.Name) and each.id == heard for each in call.args):
            yield helper


def _calls(function: FunctionValue) -> Iterator[ir.Call]:
    return (node for node in walks.nodes(function.function.body) if isinstance(node, ir.Call))


@memoised
def _flattening(it: Interpreter, function: FunctionValue) -> ir.Function | None:
    """The function in a maker's body that it gives to what registers classes, to flatten their instances."""
    calls = (call for call in _calls(function) if _registers(it, named_in(it, function, call.func)))
    given = {call.args[1].id for call in calls if len(call.args) > 1 and isinstance(call.args[1], ir.Name)}
    own = (s.function for s in walks.statements(function.function.body) if isinstance(s, ir.FunctionDefinition))
    return next((each for each in own if each.name in given), None)


@memoised
def _kinds(it: Interpreter, function: FunctionValue) -> tuple[str, ...]:
    nodes = walks.nodes(function.function.body)
    named = {named_in(it, function, node) for node in nodes if isinstance(node, ir.Name | ir.Attribute)} - {""}
    found = {it.api.class_kind(name) for name in named} | {"pytree" for name in named if _registers(it, name)}
    return tuple(sorted(found - {""}))


def _registers(it: Interpreter, name: str) -> bool:
    """Whether a function of a library makes instances of a class pytrees."""
    meaning = it.api.meaning(name)
    return meaning is not None and meaning.head == "register_class"
