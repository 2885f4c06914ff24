"""What traced arrays are computed from, as far as numbers can be put in: what a formula is at a point.

Each operation is noted under the identity of its result. Under-approximates: a value that may be one of several, or
that an operation made which is not listed, is no formula.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.analysis.domain.idents import Again, Ident
from jaxlint.analysis.domain.values import Arguments, Array, Leaves, Static, Unknown, Value
from jaxlint.analysis.events.contracts import MaskedDerivative
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class Formula(NamedTuple):
    """An operation: the operator or the name of the function, and the operands."""

    kind: str
    operands: tuple[Value, ...]


@dataclass(slots=True)
class Formulas(Table):
    """What the arrays of traced code were computed by, by identity."""

    by_ident: dict[Ident, Formula] = field(default_factory=dict)


#: The operators that functions of JAX stand for.
_OPERATORS: Final = {
    "add": "+", "subtract": "-", "sub": "-", "multiply": "*", "mul": "*", "divide": "/", "true_divide": "/",
    "div": "/", "power": "**", "pow": "**", "float_power": "**", "integer_pow": "**", "negative": "neg",
    "greater": ">", "gt": ">", "greater_equal": ">=", "ge": ">=", "less": "<", "lt": "<", "less_equal": "<=",
    "le": "<=", "equal": "==", "eq": "==", "not_equal": "!=", "ne": "!=", "logical_and": "&", "bitwise_and": "&",
    "logical_or": "|", "bitwise_or": "|", "logical_not": "~", "bitwise_not": "~", "invert": "~",
    "absolute": "abs", "acos": "arccos", "asin": "arcsin", "acosh": "arccosh", "atanh": "arctanh", "max": "maximum",
    "min": "minimum", "select": "where", "clamp": "clip", "is_finite": "isfinite", "array": "same", "asarray": "same",
}  # fmt: skip


def noted(it: Interpreter, kind: str, operands: tuple[Value, ...], result: Value) -> None:
    """An operator was applied."""
    if it.frame.trace is None or not it.wants(MaskedDerivative):
        return
    if isinstance(result, Array) and result.ident is not None:
        it.tables[Formulas].by_ident[result.ident] = Formula(kind, operands)


def called(it: Interpreter, name: str, arguments: Arguments, result: Value) -> None:
    """A function of a library was called."""
    if it.frame.trace is not None and arguments.positional and it.api.has(name, "computes-numbers"):
        last = name.rpartition(".")[2]
        noted(it, _OPERATORS.get(last, last), tuple(arguments.all()), result)


def formula_of(it: Interpreter, value: Value) -> Formula | None:
    """What a value is computed by, where that is noted."""
    return it.tables[Formulas].by_ident.get(ident) if (ident := ident_of_number(value)) is not None else None


def shape_of(it: Interpreter, value: Value) -> Formula | None:
    """The same, for what another call of the same function computed as well: its operands are those of the first."""
    ident = ident_of_number(value)
    while isinstance(ident, Again):
        ident = ident.before
    return None if ident is None else it.tables[Formulas].by_ident.get(ident)


def ident_of_number(value: Value) -> Ident:
    """What identifies an array, or what may be one."""
    return value.ident if isinstance(value, Array | Leaves | Unknown) else None


# --- at a point

#: Numbers and truth values by the identity of the array that holds them.
Point = Mapping[Ident, Any]


def _or(left: Any, right: Any) -> Any:
    return True if True in (left, right) else None if None in (left, right) else False


def _and(left: Any, right: Any) -> Any:
    return False if False in (left, right) else None if None in (left, right) else True


def _divided(left: float, right: float) -> float:
    if right:
        return left / right
    return math.nan if not left or math.isnan(left) else math.inf


def _logarithm(number: float) -> float:
    return math.log(number) if number > 0 else -math.inf if number == 0 else math.nan


_THREE_VALUED: Final[dict[str, Callable[..., Any]]] = {"&": _and, "|": _or}
_NUMBERS: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divided, "neg": operator.neg,
    "same": lambda number, *_: number,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "~": operator.not_, "abs": abs, "square": lambda number: number * number, "sqrt": math.sqrt, "log": _logarithm,
    "log2": _logarithm, "log10": _logarithm, "log1p": lambda number: _logarithm(1 + number),
    "reciprocal": lambda number: _divided(1.0, number), "arccos": math.acos, "arcsin": math.asin,
    "isnan": math.isnan, "isfinite": math.isfinite, "isinf": math.isinf, "maximum": max, "minimum": min,
    "sign": lambda number: (number > 0) - (number < 0),
}  # fmt: skip
_COMPARISONS: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})
#: Functions that are NaN where those of Python raise.
_DEFINED_IN_PART: Final = frozenset({"sqrt", "arccos", "arcsin"})
#: Operations that give no finite number of one that is not: whichever operand it is, or the first one.
_SPREADING: Final = frozenset({"+", "-", "*"})
_SPREADING_FIRST: Final = frozenset(
    {"/", "neg", "same", "abs", "square", "sqrt", "log", "log2", "log10", "log1p", "sum", "mean"}
)
#: Formulas nested deeper than this are not followed.
MAX_DEPTH: Final = 8


def at_point(it: Interpreter, value: Value, point: Point, depth: int = 0) -> Any:
    """What a value is where some arrays hold these numbers; None where that is not known."""
    if isinstance(value, Static):
        return value.value if isinstance(value.value, int | float) else None
    ident = ident_of_number(value)
    if ident is None or ident in point:
        return point.get(ident)
    formula = formula_of(it, value)
    if formula is None or depth > MAX_DEPTH:
        return None
    return _computed(formula.kind, [at_point(it, operand, point, depth + 1) for operand in formula.operands])


def is_not_finite(it: Interpreter, value: Value, point: Point, depth: int = 0) -> bool:
    """Whether a value is surely infinite or NaN where some arrays hold these numbers, whatever the others hold."""
    number = at_point(it, value, point)
    formula = formula_of(it, value)
    if number is not None or formula is None or depth > MAX_DEPTH:
        return number is not None and not math.isfinite(number)
    kind, operands = formula
    spreading = operands if kind in _SPREADING else operands[:1] if kind in _SPREADING_FIRST else ()
    return any(is_not_finite(it, operand, point, depth + 1) for operand in spreading)


def _computed(kind: str, given: list[Any]) -> Any:
    if kind in _THREE_VALUED:
        return _THREE_VALUED[kind](*given)
    compute = _NUMBERS.get(kind)
    if compute is None or None in given:
        return None
    if kind in _COMPARISONS and any(math.isnan(number) or number == math.inf for number in given):
        return None  # a division by 0 gives either infinity, and what compares NaN was not written for it
    try:
        return compute(*given)
    except (ArithmeticError, TypeError, ValueError):
        return math.nan if kind in _DEFINED_IN_PART else None


# --- which point


#: A constant smaller than this that is added keeps a value away from 0.
_SMALL: Final = 0.1
#: Functions that are never below 0, and those that are above it.
_NEVER_NEGATIVE: Final = frozenset({"abs", "square", "sqrt", "norm", "std", "var", "relu", "hypot"})
_POSITIVE: Final = frozenset({"exp", "exp2", "softplus", "sigmoid", "cosh"})
#: Functions that somebody keeps a value away from where it must not be with.
_GUARDS: Final = frozenset({"where", "clip", "nan_to_num", "softmax", "safe_norm"})


def point_where(it: Interpreter, value: Value, number: float) -> dict[Ident, float] | None:
    """A point at which a value is this number; None where it never is, or where that cannot be told."""
    point: dict[Ident, float] = {}
    for _ in range(MAX_DEPTH):
        ident = ident_of_number(value)
        if ident is None or point.get(ident, number) != number:
            return None
        point[ident] = number
        formula = shape_of(it, value)
        if formula is None:
            return point if not _is_guarded_result(value) else None
        if number < 0 and _is_never_negative(it, value):
            return None
        step = _back(it, formula, number)
        if step is None or step is _ANYTHING:
            return None if step is None else point
        value, number = step
    return None


def _is_guarded_result(value: Value) -> bool:
    """Whether a value comes out of a compiled function, so that nobody knows what computed it."""
    ident = ident_of_number(value)
    return isinstance(ident, Again) or getattr(ident, "at", 0) == -1


_ANYTHING: Final = (Static(), math.nan)


def _back(it: Interpreter, formula: Formula, number: float) -> tuple[Value, float] | None:  # noqa: PLR0911, PLR0912
    """The operand, and what it is where the result is this number; `_ANYTHING` where any number may come out."""
    kind, operands = formula
    if kind in _GUARDS or (kind in _POSITIVE and number <= 0):
        return None
    first = operands[0]
    constants = [at_point(it, operand, {}) for operand in operands]
    match kind, constants:
        case "neg", _:
            return first, -number
        case "abs" | "same", _:
            return first, number
        case "sqrt", _:
            return first, number * number
        case "square", _:
            return first, math.sqrt(number)
        case "+", [None, float() | int() as c] | [float() | int() as c, None]:
            return None if 0 < c < _SMALL else (operands[constants.index(None)], number - c)
        case "-", [None, float() | int() as c]:
            return None if -_SMALL < c < 0 else (first, number + c)
        case "-", [float() | int() as c, None]:
            return operands[1], c - number
        case "*", [None, None] if ident_of_number(first) == ident_of_number(operands[1]):
            return first, math.sqrt(number) if number >= 0 else math.nan
        case "*", [None, float() | int() as c] | [float() | int() as c, None]:
            return (operands[constants.index(None)], number / c) if c else None
        case "/", [None, float() | int() as c]:
            return first, number * c
        case "/" | "reciprocal", [float() | int(), None] | [None]:
            return None if not number else _ANYTHING
        case "**", [None, float() | int() as power] if power % 2 == 0 and power > 0:
            return first, number ** (1 / power)
        case "maximum", [None, float() | int() as c] | [float() | int() as c, None]:
            return None if number < c else (operands[constants.index(None)], number)
        case "minimum", [None, float() | int() as c] | [float() | int() as c, None]:
            return None if number > c else (operands[constants.index(None)], number)
        case "maximum" | "minimum", _:
            return None
        case _:
            return _ANYTHING


def _is_never_negative(it: Interpreter, value: Value, depth: int = 0) -> bool:
    if isinstance(value, Static):
        return isinstance(value.value, int | float) and value.value >= 0
    formula = shape_of(it, value)
    if formula is None or depth > MAX_DEPTH:
        return False
    kind, operands = formula
    if kind in _NEVER_NEGATIVE or kind in _POSITIVE or _is_square(it, formula):
        return True
    if kind == "maximum":
        return any(_is_never_negative(it, operand, depth + 1) for operand in operands)
    parts = operands[:1] if kind in ("sum", "mean") else operands if kind in ("+", "*", "/") else ()
    return bool(parts) and all(_is_never_negative(it, operand, depth + 1) for operand in parts)


def _is_square(it: Interpreter, formula: Formula) -> bool:
    kind, operands = formula
    if kind == "**":
        power = at_point(it, operands[1], {})
        return power is not None and power % 2 == 0
    return (
        kind == "*"
        and ident_of_number(operands[0]) is not None
        and ident_of_number(operands[0]) == ident_of_number(operands[1])
    )
