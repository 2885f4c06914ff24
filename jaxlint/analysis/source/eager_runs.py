"""Code for which compilation is turned off: blocks of `with jax.disable_jit():`, functions that it decorates.

A context manager of the project may turn it off as well: one whose block runs inside such a block of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import BoundMethod, ClassValue, FunctionValue, Partial, Qualified, Value
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


#: What `contextlib.contextmanager` makes of a generator, which it is bound to.
MANAGER: Final = "jaxlint.manager"


def is_switch(it: Interpreter, node: ir.Expr, scope: Frame) -> bool:
    """Whether an expression makes what turns compilation off; one that a flag decides about may not."""
    if not isinstance(node, ir.Call):
        return False
    if turns_off(it, _value(node.func, scope)):
        return True
    given = (*node.args, *(value for _, value in node.keywords))
    is_on = all(isinstance(value, ir.Constant) and value.value is True for value in given)
    return is_on and it.api.has(_name(it, node.func, scope), "runs-eagerly")


def _name(it: Interpreter, node: ir.Expr, scope: Frame) -> str:
    if isinstance(node, ir.Attribute):
        base = _name(it, node.base, scope)
        return it.api.canonical(f"{base}.{node.attr}") if base else ""
    value = _value(node, scope)
    return value.name if isinstance(value, Qualified) else ""


def _value(node: ir.Expr, scope: Frame) -> Value | None:
    """The value of a name of the module, or of a method of `self`, where one class alone has a method of that name."""
    match node:
        case ir.Name(id=name):
            return scope.state.env.get(name)
        case ir.Attribute(base=ir.Name(id="self"), attr=attr):
            classes = (value for value in scope.state.env.values() if isinstance(value, ClassValue))
            found = [cls.namespace[attr] for cls in classes if attr in cls.namespace]
            return found[0] if len(found) == 1 else None
        case _:
            return None


def turns_off(it: Interpreter, maker: Value | None) -> bool:
    """Whether what makes a context manager is the project's, and turns compilation off around the block."""
    match maker:
        case BoundMethod():
            return turns_off(it, maker.function)
        case Partial(function=Qualified(name=name), args=(FunctionValue() as generator,)) if name == MANAGER:
            frame = generator.module.frame
            return frame is not None and _yields_inside(it, generator.function, frame)
        case ClassValue(namespace=namespace):
            enter = namespace.get("__enter__")
            frame = enter.module.frame if isinstance(enter, FunctionValue) else None
            return isinstance(enter, FunctionValue) and frame is not None and _switches(it, enter.function, frame)
        case _:
            return False


@memoised
def _yields_inside(it: Interpreter, function: ir.Function, module: Frame) -> bool:
    """Whether every `yield` of a generator stands where it has turned compilation off."""
    inside = {at for node in walks.statements(function.body) for at in _switched(it, node, module)}
    yields = [node.at for node in walks.nodes(function.body) if isinstance(node, ir.Yield)]
    return bool(yields) and (inside.issuperset(yields) or is_eager(it, function, module))


def _switched(it: Interpreter, node: ir.Stmt, module: Frame) -> Iterator[int]:
    if isinstance(node, ir.With) and any(is_switch(it, item.context, module) for item in node.items):
        yield from walks.ordinals(node.body)


@memoised
def _switches(it: Interpreter, function: ir.Function, module: Frame) -> bool:
    """Whether a function makes what turns compilation off."""
    return any(isinstance(node, ir.Call) and is_switch(it, node, module) for node in walks.nodes(function.body))


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
