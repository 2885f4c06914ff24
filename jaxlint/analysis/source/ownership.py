"""Whose an object is that traced code changes: its own, its caller's argument, `self`, or something outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import Birth, Value
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.events.event import Operand
    from jaxlint.analysis.machine.interpreter import Interpreter


def role_of(it: Interpreter, receiver: Value, node: ir.Expr, birth: Birth | None) -> str:
    """One of local, argument (of the traced function), self, captured and unknown; local outside any trace."""
    frame = it.frame
    trace = frame.trace
    if trace is None:
        return "local"
    entry = entry_frame(frame, trace)
    if birth is not None and birth.frame >= trace.entry:
        return "argument" if birth.frame == trace.entry else "local"
    name = root_name(node)
    found = None if name is None else it.find_binding(name)
    if name is None or found is None:
        return "unknown"
    owner = found[0]
    if owner.serial < trace.entry:
        return "captured" if not is_self(owner, name) else "self"
    if is_self(owner, name) and (birth is not None or owner is entry):
        return "self"
    if owner is entry and _names_parameter(owner, name):
        return "captured" if _is_default(owner, name, birth) else "argument"
    return "captured" if birth is not None else "unknown"


def entry_frame(frame: Frame, trace: Trace) -> Frame | None:
    """The frame with which a trace started."""
    found = None
    for caller in frame.callers():
        if caller.trace is trace:
            found = caller
        elif found is not None:
            break
    return found


def root_name(node: ir.Expr) -> str | None:
    """`x` of `x.a[0].b`."""
    while isinstance(node, ir.Attribute | ir.Subscript):
        node = node.base
    return node.id if isinstance(node, ir.Name) else None


def _names_parameter(frame: Frame, name: str) -> bool:
    return frame.function is not None and any(p.name == name for p in frame.function.parameters)


def _is_default(frame: Frame, name: str, birth: Birth | None) -> bool:
    """Whether an object is the default of a parameter: made with the function, and the same in each call."""
    defaults = () if frame.function is None else (p.default for p in frame.function.parameters if p.name == name)
    return birth is not None and any(default is not None and default.at == birth.at for default in defaults)


def is_self(frame: Frame, name: str) -> bool:
    """Whether a name is the first parameter of a method."""
    if frame.cls is None or frame.function is None or not frame.function.parameters:
        return False
    return frame.function.parameters[0].name == name


def read_later(it: Interpreter, node: ir.Expr, value: Operand | None) -> bool:
    """Whether the function goes on using what it changed at `node`, by whatever name: then the change has a purpose."""
    name = root_name(node)
    function = it.frame.function
    if name is None or function is None:
        return False
    end = max([node.at, *(walks.ordinals(statement_of(function.body, node.at)))])
    env = it.frame.state.env
    names = {other for other, held in env.items() if held is env.get(name)} | {name}
    return not names.isdisjoint(walks.names_after(function.body, end))


def statement_of(body: Any, at: int) -> Any:
    """The innermost simple statement that holds an ordinal."""
    best: Any = None
    for statement in body:
        held = list(walks.ordinals(statement))
        if held and min(held) <= at <= max(held):
            best = statement
            for block in (part for part in statement if isinstance(part, tuple)):
                inner = statement_of([s for s in block if isinstance(s, _STATEMENTS)], at)
                best = best if inner is None else inner
    return best


_STATEMENTS = (
    ir.ExpressionStatement, ir.Assign, ir.AnnotatedAssign, ir.AugmentedAssign, ir.Return, ir.If, ir.While, ir.For,
    ir.With, ir.Try, ir.Match,
)  # fmt: skip
