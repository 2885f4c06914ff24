"""Formulas that lose digits, or overflow, where one function of JAX does not.

What made a value is noted under its identity, so that a formula is known across names. Under-approximates: a value
that may be one of several is none of these.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import Arguments, Array, Level, Static, Value
from jaxlint.analysis.events.arrays import NumericalIdiom
from jaxlint.analysis.machine.tables import Table
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Made(NamedTuple):
    """What made a value: exp, sum (of `exp`) or softmax, with the place of the call and the invocation around it."""

    kind: str
    place: Place
    frame: int


@dataclass(slots=True)
class _Makers(Table):
    """What made the arrays that may be parts of such formulas, by identity."""

    by_ident: dict[Ident, _Made] = field(default_factory=dict)


#: Keywords of a sum that its stable form takes as well.
_OF_SUMS: Final = frozenset({"axis", "keepdims"})
#: What the logarithm of such a value is called.
_LOGARITHMS: Final = {"softmax": "log_softmax", "sum": "logsumexp"}


def called(it: Interpreter, name: str, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """A function was called that such formulas are made of."""
    meaning = it.api.meaning(name) if it.wants(NumericalIdiom) else None
    if meaning is None or meaning.head != "formula" or not isinstance(node, ir.Call) or arguments.extra:
        return
    kind, made = meaning.first, it.tables[_Makers].by_ident
    if kind == "log":
        _logarithm(it, arguments, node)
    elif isinstance(result, Array) and (kind != "sum" or _sums_exponentials(it, arguments)):
        made[result.ident] = _Made(kind, it.place(node.at), it.frame.serial)


def summed(it: Interpreter, receiver: Value, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """`x.sum(...)`."""
    given = arguments.before((receiver,), {})
    if it.wants(NumericalIdiom) and isinstance(result, Array) and _sums_exponentials(it, given):
        it.tables[_Makers].by_ident[result.ident] = _Made("sum", it.place(node.at), it.frame.serial)


def subtracted(it: Interpreter, left: Value, right: Value, node: ir.Expr) -> None:
    """`left - right`."""
    made = _maker(it, left) if it.wants(NumericalIdiom) else None
    if made is not None and made.kind == "exp" and _is_one(right) and isinstance(node, ir.BinaryOperation):
        _tell(it, "expm1", made.place, node)


def _logarithm(it: Interpreter, arguments: Arguments, node: ir.Call) -> None:
    value = arguments.first
    if len(arguments.all()) != 1 or not isinstance(value, Array) or value.level is Level.HOST:
        return
    made, given = _maker(it, value), node.args[0]
    if made is not None and made.kind in _LOGARITHMS:
        _tell(it, _LOGARITHMS[made.kind], made.place, node)
    elif isinstance(given, ir.BinaryOperation) and _adds_one(given):
        _tell(it, "log1p", it.place(given.at), node)


def _adds_one(node: ir.BinaryOperation) -> bool:
    """`1 + x`, `x + 1` or `1 - x`."""
    return (node.op in ("+", "-") and _writes_one(node.left)) or (node.op == "+" and _writes_one(node.right))


def _writes_one(node: ir.Expr) -> bool:
    return isinstance(node, ir.Constant) and type(node.value) in (int, float) and node.value == 1


def _is_one(value: Value) -> bool:
    return isinstance(value, Static) and type(value.value) in (int, float) and value.value == 1


def _sums_exponentials(it: Interpreter, arguments: Arguments) -> bool:
    made = _maker(it, arguments.first)
    is_plain = len(arguments.positional) <= 2 and _OF_SUMS.issuperset(arguments.keywords)
    return made is not None and made.kind == "exp" and is_plain


def _maker(it: Interpreter, value: Value) -> _Made | None:
    if not isinstance(value, Array) or value.ident is None or value.level is Level.HOST:
        return None
    made = it.tables[_Makers].by_ident.get(value.ident)
    return made if made is not None and made.frame == it.frame.serial else None  # a formula is that of one function


def _tell(it: Interpreter, form: str, part: Place, node: ir.Expr) -> None:
    it.emit(NumericalIdiom(it.frame, node.at, form, part))
