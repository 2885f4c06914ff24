"""Comparisons of identity, and those with NaN, which come out the same whatever is compared."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.idents import OfOperation
from jaxlint.analysis.domain.values import (
    FALSE,
    STATIC_BOOL,
    TRUE,
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    FunctionValue,
    InstanceCell,
    Key,
    Leaves,
    Level,
    Object,
    Partial,
    Qualified,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    constant,
    is_none,
)
from jaxlint.analysis.events.arrays import NanComparison
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.python.attributes import CONSTANTS
from jaxlint.syntax import walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir

#: Operators by which nothing is found to be NaN.
_EQUALITIES: Final = frozenset({"==", "!=", "is", "is not"})


def check_nan(it: Interpreter, op: str, values: tuple[Value, Value], written: tuple[ir.Expr, ir.Expr], at: int) -> None:
    """Tell the rules of an array of JAX, or of a value that nothing is known of, that is compared with NaN."""
    if op not in _EQUALITIES or not it.wants(NanComparison):
        return
    first, second = (_is_nan(it, value) for value in values)
    if first is second:
        return
    value, node, nan = (values[1], written[1], written[0]) if first else (values[0], written[0], written[1])
    is_array = all(isinstance(atom, Array | Leaves) and atom.level > Level.HOST for atom in atoms_of(value))
    if is_array or (isinstance(value, Unknown) and op in ("==", "!=")):  # the same object may be meant by `is`
        it.emit(NanComparison(it.frame, at, Operand(value, it.frame, node.at), op, nan.at))


def _is_nan(it: Interpreter, value: Value) -> bool:
    if isinstance(value, Qualified):
        module, _, name = value.name.rpartition(".")
        value = CONSTANTS.get(name, value) if it.api.has(module, "holds-constants") else value
    return isinstance(value, Static) and isinstance(value.value, float) and math.isnan(value.value)


def identity(it: Interpreter, left: Value, right: Value, positive: bool) -> Value:
    """`x is None` where that is known, or `x is Missing` for a class; any other identity is a bool."""
    if isinstance(right, ClassValue):
        return _with_class(it, left, right, positive)
    return _with_value(left, right, positive)


def _with_value(left: Value, right: Value, positive: bool) -> Value:
    if isinstance(left, Qualified) and isinstance(right, Qualified):
        return constant((left.name == right.name) is positive)
    if not (isinstance(right, Static) and is_none(right)):
        if right in (TRUE, FALSE) and all(isinstance(atom, Array | Leaves | Key) for atom in atoms_of(left)):
            return constant(not positive)  # an array that holds a bool is none
        if isinstance(left, Static) and isinstance(right, Static) and left.known and right.known:
            return _of_constants(left, right, positive)
        return STATIC_BOOL
    atoms = atoms_of(left)
    if any(isinstance(atom, Unknown) and not isinstance(atom.ident, OfOperation) for atom in atoms):
        return STATIC_BOOL
    nones = [is_none(atom) or (isinstance(atom, Static) and not atom.known and atom.type is None) for atom in atoms]
    if all(is_none(atom) for atom in atoms):
        return constant(positive)
    return constant(not positive) if not any(nones) else STATIC_BOOL


def _with_class(it: Interpreter, left: Value, cls: ClassValue, positive: bool) -> Value:
    """The identity with a class of the project, which may stand for an argument that is left out.

    One with the class of an object that nobody was seen to make is not known: that may be of a class below.
    """
    is_other = all(_is_no_class(it, atom) for atom in atoms_of(left)) and not _may_be_left_out(it, cls)
    return constant(not positive) if is_other else STATIC_BOOL


def _is_no_class(it: Interpreter, atom: Atom) -> bool:
    """Whether a value is an array, a number or a container, and not by an annotation alone."""
    match atom:
        case Array(assumed=assumed):
            return not assumed
        case Object():
            cell = it.cell(atom)
            return cell is not None and not (isinstance(cell, InstanceCell) and cell.open)
        case Static(type=kind):
            return kind is not None
        case _:
            return isinstance(atom, Key | Tuple | FunctionValue | BoundMethod | Partial | Transformed)


def _may_be_left_out(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a parameter that nobody is seen to give, and that an annotation calls something else, is this class."""
    alone = (frame.function for frame in it.frame.callers() if frame.is_open and frame.function is not None)
    defaults = (each.default for function in alone for each in function.parameters if each.annotation is not None)
    return any(default is not None and walks.dotted(default).rpartition(".")[2] == cls.name for default in defaults)


def _of_constants(left: Static, right: Static, positive: bool) -> Value:
    """The identity of constants: those that differ are not the same; of equal ones, truth values and members are."""
    if left.value != right.value:
        return constant(not positive) if left.value == left.value else STATIC_BOOL
    is_alone = left.type == right.type == "enum" or type(left.value) is type(right.value) is bool
    if is_alone:
        return constant(positive)
    return constant(not positive) if type(left.value) is bool or type(right.value) is bool else STATIC_BOOL


def is_same(left: Value, right: Value) -> bool:
    """Whether two values that are not known are one and the same, of a type whose values equal themselves."""
    if not isinstance(left, Static) or not isinstance(right, Static) or left.known or right.known:
        return False
    return left.ident is not None and left.ident == right.ident and left.type == right.type and left.type in _REFLEXIVE


#: Types without a value that, as NaN, differs from itself.
_REFLEXIVE: Final = frozenset({"int", "str", "bool", "bytes"})


def membership(item: Value, holder: Value, positive: bool) -> Value:
    """`x in (a, b)` where all of them are known constants, or a text in another; any other is a bool."""
    if not isinstance(item, Static) or not item.known:
        return STATIC_BOOL
    if isinstance(holder, Static) and isinstance(holder.value, str) and isinstance(item.value, str):
        return constant((item.value in holder.value) is positive)
    if not isinstance(holder, Tuple):
        return STATIC_BOOL
    known = [element.value for element in holder.elements if isinstance(element, Static) and element.known]
    is_complete = len(known) == len(holder.elements)
    return constant((item.value in known) is positive) if is_complete else STATIC_BOOL
