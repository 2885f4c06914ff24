"""Context managers: what `with` evaluates before and after its block."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.values import NONE, Member, Object, Qualified, Unknown, Value
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.python import functions, stores
from jaxlint.analysis.source import eager_runs
from jaxlint.analysis.typestate import timing
from jaxlint.syntax import ir

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
