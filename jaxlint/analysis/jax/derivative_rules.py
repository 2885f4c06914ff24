"""Functions with derivatives of their own: whether they have rules, and whether these fit the function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.application import function_label, underlying
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import FunctionValue, Transformed, Value
from jaxlint.analysis.events.contracts import DerivativeRules
from jaxlint.analysis.jax import loop_contracts
from jaxlint.analysis.jax.returned_places import returns_of
from jaxlint.analysis.machine.dependencies import note_host_call
from jaxlint.analysis.machine.questions import put_off
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.python import host_calls, library_names
from jaxlint.analysis.source import reaching_definitions
from jaxlint.syntax import ir
from jaxlint.text import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.values import Arguments
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Fault(NamedTuple):
    """What is wrong with a rule, the tuple that has another length, and the rule that returns how many too few."""

    text: str
    returned: Place | None = None
    short: tuple[Place, int] | None = None


def owner(it: Interpreter, application: Application, method: str) -> Application:
    """The use of a transform that has the method: `defvjp` of `custom_jvp(custom_vjp(f))` is that of what it wraps."""
    while it.api.transform(f"{application.name}.{method}") is None and it.api.has(application.name, "forwards-rules"):
        if not isinstance(application.target, Transformed):
            break
        application = application.target.application
    return application


def defined(it: Interpreter, application: Application, method: str, arguments: Arguments, node: ir.Expr) -> None:
    """`f.defvjp(fwd, bwd)`, `f.defjvp(rule)`: the function has rules from here on."""
    application.has_rules = True
    application.rules = tuple(filter(None, map(underlying, arguments.all())))
    primal = underlying(application.target)
    if primal is None or not it.wants(DerivativeRules) or not application.statics.known or arguments.extra:
        return
    wanted = loop_contracts.accepted(it, application.target)
    if wanted is None or wanted[0] != wanted[1]:
        return  # how many arguments there will be is not known
    count, fixed = wanted[1], len(application.statics.numbers)
    fault = next(_faults(it, method, arguments, count, fixed, function_label(primal)), None)
    if fault is not None:
        returned = fault.returned
        is_here = returned is not None and returned.path == it.frame.path
        at = returned.at if returned is not None and is_here else node.at
        it.emit(DerivativeRules(it.frame, at, application, fault.text, fault.short))


def _faults(
    it: Interpreter, method: str, arguments: Arguments, count: int, fixed: int, primal: str
) -> Iterator[_Fault]:
    """What is wrong with the rules of a function of `count` arguments, of which `fixed` are not differentiated."""
    if method == "defvjp":
        forward = _of_rule(it, arguments.get(0, "fwd"), count, 2, f"as many as {primal}")
        yield from (fault._replace(short=None) for fault in forward)
        yield from _of_rule(it, arguments.get(1, "bwd"), fixed + 2, count - fixed, "for residuals and cotangents")
    elif method == "defjvp":
        jvp = _of_rule(it, arguments.get(0, "jvp"), fixed + 2, 2, "for primals and tangents")
        yield from (fault._replace(short=None) for fault in jvp)


def _of_rule(it: Interpreter, rule: Value | None, taken: int, given: int, why: str) -> Iterator[_Fault]:
    """What is wrong with one rule, which is called with `taken` arguments and must return a tuple of `given` values."""
    function = None if rule is None else underlying(rule)
    if rule is None or function is None:
        return
    accepted = loop_contracts.accepted(it, rule)
    if accepted is not None and not accepted[0] <= taken <= accepted[1]:
        parameters = plural(accepted[1], "argument")
        yield _Fault(f"{function_label(function)} takes {parameters}, but is called with {taken}, {why}")
    tuples = _tuples(function) if isinstance(rule, FunctionValue) else []
    wrong = next((each for each in tuples if len(each.elements) != given), None)
    if wrong is not None:
        values, returned = plural(given, "value"), len(wrong.elements)
        text = f"{function_label(function)} must return a tuple of {values}, but returns {returned}"
        is_short = all(len(each.elements) < given for each in tuples)
        short = (Place(function.closure.path, function.function.at), given) if is_short else None
        yield _Fault(text, Place(function.module.path, wrong.at), short)
        return
    alone = _array_alone(it, function) if isinstance(rule, FunctionValue) else None
    if alone is not None:
        written, values = function.module.text(alone.at), plural(given, "value")
        text = f"{function_label(function)} must return a tuple of {values}, but returns the array `{written}`"
        yield _Fault(text, Place(function.module.path, alone.at))


def _tuples(function: FunctionValue) -> list[ir.SequenceDisplay]:
    """The tuples that a function returns, as far as they are written out."""
    if function.function.is_generator or function.function.is_async:
        return []
    found = [each.value for each in returns_of(function.function.body)]
    tuples = [value for value in found if isinstance(value, ir.SequenceDisplay) and value.kind == "tuple"]
    return [each for each in tuples if not any(isinstance(part, ir.Starred) for part in each.elements)]


def _array_alone(it: Interpreter, function: FunctionValue) -> ir.Expr | None:
    """An array that a function returns, and no tuple, by the way it is computed."""
    if function.function.is_generator or function.function.is_async:
        return None
    found = (each.value for each in returns_of(function.function.body))
    return next((value for value in found if value is not None and _is_array(it, function, value)), None)


#: Operators that no tuple has, and those that it has, but not with an array.
_OF_NUMBERS: Final = frozenset({"-", "/", "**", "@", "//"})
_OF_TUPLES: Final = frozenset({"+", "*"})


def _is_array(it: Interpreter, function: FunctionValue, node: ir.Expr, depth: int = 0) -> bool:
    match node:
        case ir.BinaryOperation(op=op, left=left, right=right):
            sides = (_is_array(it, function, side, depth + 1) for side in (left, right))
            return op in _OF_NUMBERS or (op in _OF_TUPLES and any(sides))
        case ir.UnaryOperation(op="-"):
            return True
        case ir.Call(func=func):
            row = it.api.function(library_names.named_in(it, function, func))
            return row is not None and row.returns.head == "array"
        case ir.Name(id=name) if depth < MAX_NESTING:
            bound = reaching_definitions.known_bindings(it, function.function.body, name)
            values = [each.value for each in bound if isinstance(each.statement, ir.Assign)]
            is_bound_once = len(bound) == 1 and len(values) == 1 and _is_plain(bound[0].statement)
            return is_bound_once and values[0] is not None and _is_array(it, function, values[0], depth + 1)
        case _:
            return False


def _is_plain(statement: ir.Stmt) -> bool:
    """Whether an assignment gives one name its whole value."""
    return isinstance(statement, ir.Assign) and all(isinstance(target, ir.Name) for target in statement.targets)


def called(it: Interpreter, application: Application, node: ir.Expr) -> None:
    """Such a function was called: without rules, it raises.

    One that is no decorated definition may be kept in an object, which gets its rules from methods that are not seen.
    """
    if any(host_calls.calls_host(it, rule) for rule in application.rules):
        note_host_call(it)
    if application.has_rules or not it.api.has(application.name, "wants-rules") or not it.wants(DerivativeRules):
        return
    method = "defvjp" if application.name.endswith("vjp") else "defjvp"
    function = underlying(application.target)
    if function is not None and application.at in (each.at for each in function.function.decorators):
        fault = f"{function_label(function)} has no rules, because `{method}` is never called"
        _tell(it, DerivativeRules(it.frame, node.at, application, fault))


def _tell(it: Interpreter, event: DerivativeRules) -> None:
    """Tell the rules; in the rule of another function, which runs later, when it is seen who got rules until then."""
    owners = [each.caller for each in it.frame.callers() if each.caller is not None and _is_kept(it, each)]
    if not owners or it.frame.trying:
        it.emit(event)
    else:
        put_off(it, owners[-1], lambda: None if event.application.has_rules else it.emit(event))


def _is_kept(it: Interpreter, frame: Frame) -> bool:
    """Whether a call stands for those of a function that is kept for later."""
    return frame.caller is not None and (frame.caller.path, frame.call_at) in it.facts.registrations
