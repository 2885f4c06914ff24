"""Derivatives that are not a number where a mask keeps their value away.

`where(x > 0, sqrt(x), 0)` takes the other value where `x` is 0, but reverse mode multiplies the 0 that comes back to
`sqrt(x)` by its derivative, which is infinite there. Rests on one point: the formula is singular at it, and the mask,
computed from the very same array, does not take it there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import Arguments, Array, Leaves, Level, Origin, Value
from jaxlint.analysis.events.contracts import MaskedDerivative
from jaxlint.analysis.machine.levels import evidence
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python.formulas import MAX_DEPTH, Formula, Point, at_point, formula_of, is_not_finite, point_where
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import ModuleContext
    from jaxlint.analysis.machine.interpreter import Interpreter


class Masked(NamedTuple):
    """A choice by a mask as its finding names it: the call, the value that is kept away, and the mask."""

    text: str
    kept_away: str
    mask: str


@dataclass(slots=True)
class _MaskedValues(Table):
    """The choices that such a derivative goes through, by path and node; and where that is."""

    found: dict[tuple[str, int], tuple[ModuleContext, tuple[int, int, int]]] = field(default_factory=dict)
    points: dict[int, tuple[Origin, tuple[Point, ...]]] = field(default_factory=dict)  # by mark, which stays alive


#: Where functions of one number have no finite derivative, as measured on JAX.
_SINGULAR: Final[dict[str, tuple[float, ...]]] = {
    "sqrt": (0.0, -1.0), "rsqrt": (0.0, -1.0), "cbrt": (0.0,), "reciprocal": (0.0,), "log": (0.0,), "log2": (0.0,),
    "log10": (0.0,), "log1p": (-1.0,), "arccos": (1.0, -1.0, 2.0), "arcsin": (1.0, -1.0, 2.0), "arctanh": (1.0, -1.0),
    "arccosh": (1.0, 0.0), "logit": (0.0, 1.0),
}  # fmt: skip
#: Functions of arrays whose derivative is not a number where they are 0.
_SINGULAR_AT_ZERO: Final = frozenset({"norm", "std"})
#: Functions of single numbers, through which a derivative of 0 comes back as 0.
_SMOOTH: Final = frozenset({"+", "-", "*", "/", "**", "neg", "abs", "square", "exp", "sin", "cos", "tanh"})


class _Pole(NamedTuple):
    """A point at which a formula has no finite derivative, and what is differentiated there."""

    point: dict[Ident, float]
    operands: tuple[Value, ...]


def chosen(it: Interpreter, arguments: Arguments, result: Value, node: ir.Expr) -> Value:
    """The result of `where(mask, x, y)`, marked if a derivative that is not a number comes back through it."""
    given = arguments.positional
    if not isinstance(result, Array) or len(given) != 3 or not isinstance(node, ir.Call) or len(node.args) < 3:
        return result
    for number, away in ((1, False), (2, True)):
        poles = list(_poles_behind(it, given[0], given[number], away))
        origin = _differentiated(it, poles[0], result.level) if poles else None
        if origin is not None:
            places, table = (node.at, node.args[number].at, node.args[0].at), it.tables[_MaskedValues]
            table.found[it.frame.path, node.at] = (it.frame.module, places)
            mark = Origin("masked", "result of a choice by a mask", it.frame.path, node.at, origin)
            table.points[id(mark)] = (mark, tuple(pole.point for pole in poles))
            return replace(result, origin=mark)
    return result


def masked_at(it: Interpreter, mark: Origin, loss: Value) -> Masked | None:
    """What a mark stands for, unless the loss itself is infinite or NaN wherever that is: nobody computes it there.

    Only now is the text looked up, since a file has to be read again for it.
    """
    table = it.tables[_MaskedValues]
    found = table.found.get((mark.path, mark.at))
    _, points = table.points.get(id(mark), (mark, ()))
    if found is None or (points and all(is_not_finite(it, loss, point) for point in points)):
        return None
    return Masked(*map(found[0].text, found[1]))


def _poles_behind(it: Interpreter, mask: Value, value: Value, away: bool) -> Iterator[_Pole]:
    return (pole for pole in _poles(it, value) if at_point(it, mask, pole.point) is away)


def _poles(it: Interpreter, value: Value, depth: int = 0) -> Iterator[_Pole]:
    """The points at which a value that is computed number by number has no finite derivative."""
    formula = formula_of(it, value)
    if formula is None or depth > MAX_DEPTH or not isinstance(value, Array | Leaves):
        return
    if formula.kind in _SINGULAR_AT_ZERO:
        yield _Pole({value.ident: 0.0}, formula.operands[:1])
    for operand, number in _singular_operands(it, formula):
        point = point_where(it, operand, number)
        if point is not None:
            yield _Pole(point, formula.operands)
            yield from _zero_by_zero(formula, point)
    if formula.kind in _SMOOTH or formula.kind in _SINGULAR:
        for operand in formula.operands:
            yield from _poles(it, operand, depth + 1)


def _zero_by_zero(formula: Formula, point: dict[Ident, float]) -> Iterator[_Pole]:
    numerator = formula.operands[0]
    ident = numerator.ident if isinstance(numerator, Array | Leaves) else None
    if formula.kind == "/" and ident is not None:
        yield _Pole({ident: 0.0, **point}, formula.operands)


def _singular_operands(it: Interpreter, formula: Formula) -> Iterator[tuple[Value, float]]:
    kind, operands = formula
    if kind in _SINGULAR:
        for number in _SINGULAR[kind]:
            yield operands[0], number
    elif kind == "/" and len(operands) == 2:
        yield operands[1], 0.0
    elif kind == "**" and len(operands) == 2:
        power = at_point(it, operands[1], {})
        if power is not None and power < 1 and power != 0:
            yield operands[0], 0.0
        if power is not None and not math.isnan(power) and power % 1:
            yield operands[0], -1.0


def _differentiated(it: Interpreter, pole: _Pole, level: Level) -> Origin | None:
    """The evidence of an operand that may be differentiated; None where none is."""
    lifted = [
        operand
        for operand in pole.operands
        if isinstance(operand, Array | Leaves)
        and operand.level >= Level.GRAD
        and operand.level == level
        and not shapes.is_discrete(shapes.dtype_of(operand))
    ]
    return evidence(it, lifted) if it.wants(MaskedDerivative) else None
