"""Gradients of complex parameters, and the steps that are made of them.

JAX's gradient of a real function of `x + iy` is `df/dx - i df/dy`, the conjugate of the direction in which the function
grows. Which arrays are such a gradient, times real numbers, is noted under their identity; a conjugate is another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import Array, Leaves, Static, Value
from jaxlint.analysis.events.optimizers import UnconjugatedStep
from jaxlint.analysis.machine.tables import Table
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class ComplexGradient(NamedTuple):
    """A gradient by a complex parameter: which, and where and by what it was taken."""

    parameter: Ident
    transform: str
    place: Place


@dataclass(slots=True)
class ComplexGradients(Table):
    """The gradients that were not conjugated, by identity."""

    by_ident: dict[Ident, ComplexGradient] = field(default_factory=dict)


#: What a gradient may be multiplied with and still be one.
_REAL: Final = frozenset({"bool", "int", "uint", "float"})


def taken(it: Interpreter, parameter: Value, gradient: Value, transform: str, at: int) -> None:
    """A gradient by one array was taken."""
    if not isinstance(parameter, Array) or not isinstance(gradient, Array) or parameter.ident is None:
        return
    if shapes.dtype_class(parameter.dtype) == "complex" and not parameter.assumed and it.wants(UnconjugatedStep):
        found = ComplexGradient(parameter.ident, transform, it.place(at))
        it.tables[ComplexGradients].by_ident[gradient.ident] = found


def gradient_of(it: Interpreter, value: Value) -> ComplexGradient | None:
    """The gradient that a value is, times a real number; None where it is none."""
    gradients = it.tables[ComplexGradients].by_ident
    return gradients.get(value.ident) if gradients and isinstance(value, Array) else None


def operated(it: Interpreter, op: str, left: Value, right: Value, result: Value, node: ir.Expr) -> None:
    """An operator was applied, which may scale a gradient or make a step."""
    if not it.tables[ComplexGradients].by_ident:
        return
    if op in ("*", "/"):
        scaled = gradient_of(it, left) if _is_real(right) else None
        if scaled is None and op == "*" and _is_real(left):
            scaled = gradient_of(it, right)
        if scaled is not None and isinstance(result, Array):
            it.tables[ComplexGradients].by_ident[result.ident] = scaled
    elif op in ("+", "-") and isinstance(left, Array | Leaves):
        step = gradient_of(it, right)
        if step is not None and step.parameter == left.ident:
            stepping = node.left if isinstance(node, ir.BinaryOperation) else node
            it.emit(UnconjugatedStep(it.frame, node.at, it.frame.module.text(stepping.at), step.transform, step.place))


def _is_real(value: Value) -> bool:
    return isinstance(value, Array | Static) and shapes.dtype_class(shapes.dtype_of(value)) in _REAL
