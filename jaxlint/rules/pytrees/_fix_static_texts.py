"""Parameters of compiled functions that get texts, made static."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.tracing._fix_static_parameters import with_static_name
from jaxlint.syntax import ir


def static_text(request: FixRequest, code: Code) -> Fix | None:
    """`static_argnames` for the parameter; safe where all calls in the file give it a text as written."""
    made, function, name = code.node(request.ordinals[0]), code.node(request.ordinals[1]), request.words[1]
    function = function.function if isinstance(function, ir.FunctionDefinition | ir.Lambda) else function
    if not isinstance(function, ir.Function) or not isinstance(made, ir.Call | ir.Name | ir.Attribute):
        return None
    if isinstance(made, ir.Call) and any(key in (None, "static_argnums") for key, _ in made.keywords):
        return None
    position = next((i for i, p in enumerate(function.parameters) if p.name == name), None)
    changes = with_static_name(code, made, name, is_bare=not isinstance(made, ir.Call))
    if changes is None or position is None:
        return None
    title = f"Make `{name}` static"
    if request.is_certain and all(_is_text(value) for value in _given(code, function, name, position)):
        return code.fix(title, changes)
    return code.fix(
        title, changes, Applicability.UNSAFE, f"`{name}` must be hashable, and JAX compiles again for each new value"
    )


def _given(code: Code, function: ir.Function, name: str, position: int) -> list[Any]:
    """What calls in this file give the parameter; without a decorator, any call may be one of what is compiled."""
    called = [node for node in code.owned(None) if isinstance(node, ir.Call) and _may_call(node, function)]
    found = [call.args[position] if position < len(call.args) else dict(call.keywords).get(name) for call in called]
    return [value for value in found if value is not None]


def _may_call(call: ir.Call, function: ir.Function) -> bool:
    return isinstance(call.func, ir.Name) and (call.func.id == function.name or not function.decorators)


def _is_text(node: Any) -> bool:  # noqa: ANN401 - an expression
    return isinstance(node, ir.Constant) and isinstance(node.value, str)
