"""What names in the code of a function stand for in libraries, without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import FunctionValue, Qualified, Value
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def named_in(it: Interpreter, function: FunctionValue, node: Any) -> str:
    """The library's name for what an expression names that is not bound in the function; empty where there is none."""
    if isinstance(node, ir.Attribute):
        base = named_in(it, function, node.base)
        return base and it.api.canonical(f"{base}.{node.attr}")
    value = _held(function, node)
    return value.name if isinstance(value, Qualified) else ""


def named_here(it: Interpreter, node: Any) -> str:
    """The library's name for what an expression names where the analysis is; empty where there is none."""
    if isinstance(node, ir.Attribute):
        base = named_here(it, node.base)
        return base and it.api.canonical(f"{base}.{node.attr}")
    found = it.find_binding(node.id) if isinstance(node, ir.Name) else None
    return found[1].name if found is not None and isinstance(found[1], Qualified) else ""


def function_in(function: FunctionValue, node: Any) -> FunctionValue | None:
    """The function of the project that a name stands for, if the function does not bind that name itself."""
    value = _held(function, node)
    return value if isinstance(value, FunctionValue) else None


def _held(function: FunctionValue, node: Any) -> Value | None:
    """What a name that is not bound in the function stands for around it."""
    if not isinstance(node, ir.Name) or node.id in function.function.scope.bound:
        return None
    held = (scope.state.env.get(node.id) for scope in function.closure.scopes())
    return next((value for value in held if value is not None), None)
