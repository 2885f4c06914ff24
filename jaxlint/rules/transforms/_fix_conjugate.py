"""Gradients of complex parameters, conjugated where a step follows them."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.syntax import ir

_REASON = "the steps change; conjugate in one place only"


def conjugate(request: FixRequest, code: Code) -> Fix | None:
    """`jnp.conj` of the gradient in a step, or of all leaves that an optimizer receives.

    The ordinals of the request hold the place where the gradient was taken, if it is in this file.
    """
    conj = name_of(code, request.at, "jax.numpy.conj")
    node = code.node(request.at)
    if conj is None:
        return None
    changes = [*conj.changes]
    if isinstance(node, ir.Call):
        mapped = name_of(code, request.at, "jax.tree.map")
        if mapped is None or not node.args or isinstance(node.args[0], ir.Starred):
            return None
        changes += [*mapped.changes, *_wrapped(code, node.args[0], f"{mapped.text}({conj.text}, ")]
    elif isinstance(node, ir.BinaryOperation | ir.AugmentedAssign):
        step = node.right if isinstance(node, ir.BinaryOperation) else node.value
        changes += _wrapped(code, _gradient(code, step, request.ordinals), f"{conj.text}(")
    else:
        return None
    return code.fix(f"Conjugate the gradient with `{conj.text}`", changes, Applicability.UNSAFE, _REASON)


def _wrapped(code: Code, node: Any, opening: str) -> list[Change]:  # noqa: ANN401 - an expression
    start, end = code.outer(node.at)
    return [Change(start, start, opening), Change(end, end, ")")]


def _gradient(code: Code, step: Any, taken: tuple[int, ...]) -> Any:  # noqa: ANN401 - expressions
    """What of a step is the gradient: what was taken there, or its name. All of it is right too: the rest is real."""
    while isinstance(step, ir.BinaryOperation) and step.op in ("*", "/"):
        parts = [step.left, step.right] if step.op == "*" else [step.left]
        step = next((part for part in parts if _is_from(code, part, taken)), None) or step
        if step not in parts:
            return step
    return step


def _is_from(code: Code, node: Any, taken: tuple[int, ...]) -> bool:  # noqa: ANN401 - an expression
    if any(inner.at in taken for inner in (node, *code.inside(node))):
        return True
    made = {name for at in taken for name in _bound_by(code.statement(at))}
    return isinstance(node, ir.Name) and node.id in made


def _bound_by(statement: Any) -> set[str]:  # noqa: ANN401 - a statement
    targets = statement.targets if isinstance(statement, ir.Assign) else ()
    flat = [e for t in targets for e in (t.elements if isinstance(t, ir.SequenceDisplay) else (t,))]
    return {element.id for element in flat if isinstance(element, ir.Name)}
