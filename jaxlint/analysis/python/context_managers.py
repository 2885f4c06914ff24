"""Context managers: what `with` evaluates before and after its block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.values import (
    NONE,
    BoundMethod,
    FunctionValue,
    InstanceCell,
    Member,
    Object,
    Partial,
    Qualified,
    Unknown,
    Value,
)
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.python import classes, exceptions, functions, stores
from jaxlint.analysis.source import eager_runs
from jaxlint.analysis.typestate import timing
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class Entered(NamedTuple):
    """A context manager whose block is being interpreted; `name` is qualified where a library's made it."""

    name: str
    manager: Value
    context: ir.Expr


def enter(it: Interpreter, item: ir.WithItem) -> Entered:
    """Evaluate one context manager, and bind its target to what it gives on entry."""
    manager = it.eval(item.context)
    name = ""
    if isinstance(item.context, ir.Call):
        callee = it.tables[Callees].by_call.get((it.frame.path, item.context.at))
        name = callee.name if isinstance(callee, Qualified | Member) else ""
        if not name and isinstance(item.context.func, ir.Attribute):
            name = item.context.func.attr
    if not name.startswith(_AT_ONCE):
        it.facts.may_have_mesh = True
    if item.target is not None or isinstance(manager, Object):
        entered: Value = it.unknown("a context manager's target", item.context.at)
        if isinstance(manager, Object):
            found = it.attribute(manager, "__enter__", item.context.at)
            entered = manager if found.__class__ is Unknown else functions.call_value(it, found, item.context)
        if item.target is not None:
            stores.bind(it, item.target, entered, item.context)
    return Entered(name, manager, item.context)


def turns_compilation_off(it: Interpreter, entered: Entered) -> bool:
    """Whether a context manager lets compiled functions run as they are; one that a flag decides about may not."""
    call = entered.context
    given = (*call.args, *(value for _, value in call.keywords)) if isinstance(call, ir.Call) else ()
    if isinstance(call, ir.Call) and eager_runs.turns_off(it, it.tables[Callees].by_call.get((it.frame.path, call.at))):
        return True
    is_on = all(isinstance(value, ir.Constant) and value.value is True for value in given)
    return is_on and it.api.has(entered.name, "runs-eagerly")


def swallows(it: Interpreter, entered: Entered) -> bool:
    """Whether a context manager goes on behind its block where an error of tracing ends that."""
    call = entered.context
    cell = it.cell(entered.manager) if isinstance(entered.manager, Object) else None
    if isinstance(cell, InstanceCell):
        found = classes.find(it, cell.cls, "__exit__")
        return isinstance(found, FunctionValue) and _exits_as_if_well(found.function)
    if not isinstance(call, ir.Call):
        return False
    if entered.name == "contextlib.suppress":
        return any(map(exceptions.names_trace_error, call.args))
    maker = it.tables[Callees].by_call.get((it.frame.path, call.at))
    maker = maker.function if isinstance(maker, BoundMethod) else maker
    match maker:
        case Partial(function=Qualified(name=eager_runs.MANAGER), args=(FunctionValue(function=generator),)):
            return _yields_where_caught(it, generator)
        case _:
            return False


def _exits_as_if_well(function: ir.Function) -> bool:
    """Whether an `__exit__` may give something true for an error of tracing: for all, or for the types that it names.

    What that of another manager gives is taken for false, which most of them give.
    """
    given = [statement.value for statement in walks.statements(function.body) if isinstance(statement, ir.Return)]
    if function.is_generator or not any(value is not None and _may_be_true(value) for value in given):
        return False
    named = [
        node for node in walks.nodes(function.body) if isinstance(node, ir.Name | ir.Attribute) and _names_error(node)
    ]
    return not named or any(map(exceptions.names_trace_error, named))


def _may_be_true(value: ir.Expr) -> bool:
    match value:
        case ir.Constant(value=constant):
            return bool(constant)
        case ir.Call(func=ir.Attribute(attr="__exit__" | "__aexit__")):
            return False
        case _:
            return True


def _names_error(node: ir.Name | ir.Attribute) -> bool:
    last = node.id if isinstance(node, ir.Name) else node.attr
    return last.endswith(_ERRORS) and last[0].isupper()


#: How names of types of errors end.
_ERRORS: Final = ("Error", "Exception", "Exit", "Interrupt", "Iteration", "Warning")


def _yields_where_caught(it: Interpreter, generator: ir.Function) -> bool:
    """Whether the block that a generator's `yield` stands for is tried, and its errors of tracing go no further."""
    tried = (statement for statement in walks.statements(generator.body) if isinstance(statement, ir.Try))
    return any(
        any(isinstance(node, ir.Yield) for node in walks.nodes(each.body))
        and any(exceptions.goes_on(it, handler) for handler in each.handlers)
        for each in tried
    )


def leave(it: Interpreter, entered: list[Entered]) -> None:
    """The block ended where it should. How a manager is left matters only to what is timed."""
    for name, manager, context in reversed(entered):
        if it.frame.state.clock is None:
            return
        if isinstance(manager, Object):
            found = it.attribute(manager, "__exit__", context.at)
            if found.__class__ is not Unknown:
                functions.call_value(it, found, context, [NONE, NONE, NONE])
                continue
        if not name.startswith(_AT_ONCE) and not it.api.is_of(name, "core", "host"):
            timing.waited(it, sure=False)


#: Context managers that are left at once: those of JAX set options, those of Python wait for no device.
_AT_ONCE = ("contextlib.", "warnings.", "builtins.", "tempfile.", "decimal.")
