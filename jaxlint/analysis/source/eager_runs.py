"""Code for which compilation is turned off: blocks of `with jax.disable_jit():`, functions that it decorates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Qualified
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


def is_switch(it: Interpreter, node: ir.Expr, scope: Frame) -> bool:
    """Whether an expression makes what turns compilation off; one that a flag decides about may not."""
    if not isinstance(node, ir.Call):
        return False
    given = (*node.args, *(value for _, value in node.keywords))
    is_on = all(isinstance(value, ir.Constant) and value.value is True for value in given)
    return is_on and it.api.has(_name(it, node.func, scope), "runs-eagerly")


def _name(it: Interpreter, node: ir.Expr, scope: Frame) -> str:
    if isinstance(node, ir.Attribute):
        base = _name(it, node.base, scope)
        return it.api.canonical(f"{base}.{node.attr}") if base else ""
    value = scope.state.env.get(node.id) if isinstance(node, ir.Name) else None
    return value.name if isinstance(value, Qualified) else ""


@memoised
def is_eager(it: Interpreter, function: ir.Function, module: Frame) -> bool:
    """Whether a function turns compilation off for all of its calls: decorated so, or before anything else."""
    if any(is_switch(it, decorator, module) for decorator in function.decorators):
        return True
    return any(_is_entered(it, statement, module) for statement in function.body[:3])


def _is_entered(it: Interpreter, statement: ir.Stmt, module: Frame) -> bool:
    """`stack.enter_context(jax.disable_jit())`."""
    match statement:
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(attr="enter_context"), args=(entered,))):
            return is_switch(it, entered, module)
        case ir.With(body=body):
            return any(_is_entered(it, inner, module) for inner in body[:1])
        case _:
            return False


@memoised
def only_eager(it: Interpreter, module: ir.Module, frame: Frame) -> frozenset[str]:
    """The functions and methods that the code of a module uses where compilation is off, and nowhere else."""
    inside: set[int] = set()
    for node in walks.statements(module.body):
        if isinstance(node, ir.With) and any(is_switch(it, item.context, frame) for item in node.items):
            inside.update(at for _, at in _used(node.body))
        elif isinstance(node, ir.FunctionDefinition) and is_eager(it, node.function, frame):
            inside.update(at for _, at in _used(node.function.body))
    if not inside:
        return frozenset()
    used = list(_used(module.body))
    while True:  # what they call in turn
        found = {name for name, at in used if at in inside} - {name for name, at in used if at not in inside}
        bodies = [node.function for node in walks.statements(module.body) if isinstance(node, ir.FunctionDefinition)]
        called = {at for function in bodies if function.name in found for _, at in _used(function.body)}
        if called <= inside:
            return frozenset(found)
        inside |= called


def _used(body: ir.Block) -> Iterator[tuple[str, int]]:
    for node in walks.nodes(body):
        if isinstance(node, ir.Name):
            yield node.id, node.at
        elif isinstance(node, ir.Attribute):
            yield node.attr, node.at
