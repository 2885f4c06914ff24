"""Predicates: what `if is_concrete(x)` of the project tells of `x`, as the test in its body does, and of libraries."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import FunctionValue, Qualified
from jaxlint.analysis.machine.interpreter import MAX_DEPTH
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.python import functions, narrowing
from jaxlint.analysis.source import kept_tests
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def assume(it: Interpreter, call: ir.Call, outcome: bool) -> bool:
    """Narrow the names that a predicate is given by the outcome of its call; False where the outcome cannot be."""
    function = it.tables[Callees].by_call.get((it.frame.path, call.at))
    if isinstance(function, Qualified) and it.api.has(function.name, "asks-for-number"):
        return not outcome or not call.args or narrowing.assume_no_array(it, call.args[0])
    if isinstance(function, Qualified) and it.api.has(function.name, "asks-for-value"):
        return not call.args or narrowing.assume_value(it, call.args[0], outcome)
    if isinstance(function, Qualified) and _asks_for_array(it, function.name):
        return not call.args or narrowing.assume_array(it, call.args[0], outcome)
    if isinstance(function, Qualified) and function.name in _QUANTIFIERS:
        return _assume_of_elements(it, call, outcome, every=outcome is _QUANTIFIERS[function.name])
    test = _test_of(function.function) if isinstance(function, FunctionValue) else None
    if test is None or not isinstance(function, FunctionValue) or it.frame.depth >= MAX_DEPTH:
        return True
    names = _names_given(function.function, call)
    mine = it.frame.state.env
    env = {parameter: mine[name] for parameter, name in names.items() if name in mine}
    if not env:
        return True
    frame = functions.enter(it, function, env.copy(), call.at, None)
    with it.entering(frame):
        can_be = narrowing.assume(it, test, outcome)
    it.frame.state.take_over(frame.state)
    it.frame.caveats = it.frame.caveats.asked_as(frame.caveats)
    for parameter, value in env.items():
        narrowed = frame.state.env[parameter]
        if narrowed is not value:
            narrowing.narrow(it, names[parameter], value, narrowed)
    return can_be


def _asks_for_array(it: Interpreter, name: str) -> bool:
    """Whether a function of a library asks for a JAX array of any type, and for nothing else."""
    return it.api.has(name, "is-array") and not it.api.has(name, "or-number") and not it.api.has(name, "inexact-alone")


#: Functions that ask the same of several values, by the outcome that each of them then has.
_QUANTIFIERS: Final = {"builtins.all": True, "builtins.any": False}


def _assume_of_elements(it: Interpreter, call: ir.Call, outcome: bool, *, every: bool) -> bool:
    """Narrow the names in `all(test(x) for x in (a, b))`, where `every` one has this outcome; else one has, if any."""
    asked = kept_tests.asked_of_each(call)
    if asked is None:
        return True
    test, target, names = asked
    env = it.frame.state.env
    shadowed = env.get(target)
    can_be = []
    for name in names:
        value = env.get(name)
        if value is None:
            can_be.append(True)
            continue
        env[target] = value
        with nullcontext() if every else narrowing.scratch(it):
            can_be.append(narrowing.assume(it, test, outcome))
        if every and env[target] is not value:
            narrowing.narrow(it, name, value, env[target])
    env.pop(target, None)
    if shadowed is not None:
        env[target] = shadowed
    return all(can_be) if every else any(can_be)


def _test_of(function: ir.Function) -> ir.Expr | None:
    """The test that a function returns the outcome of: `return test`, or `if test: return True` and `return False`."""
    body = function.body
    if body and isinstance(body[0], ir.ExpressionStatement) and isinstance(body[0].value, ir.Constant):
        body = body[1:]  # behind its docstring
    match body:
        case (ir.Return(value=test),):
            return test
        case (
            ir.If(test=test, body=(ir.Return(value=ir.Constant(value=True)),), orelse=()),
            ir.Return(value=ir.Constant(value=False)),
        ):
            return test
        case (
            ir.If(test=test, body=(ir.Return(value=ir.Constant(value=False)),), orelse=()),
            ir.Return(value=ir.Constant(value=True)),
        ):
            return ir.UnaryOperation("not", test, test.at)
        case _:
            return None


def _names_given(function: ir.Function, call: ir.Call) -> dict[str, str]:
    """The names that a call gives for parameters, by parameter."""
    if any(isinstance(argument, ir.Starred) for argument in call.args):
        return {}
    given = [*zip((p.name for p in function.parameters), call.args), *call.keywords]
    return {name: argument.id for name, argument in given if name is not None and isinstance(argument, ir.Name)}
