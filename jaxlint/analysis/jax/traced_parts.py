"""The traced element of an argument that is a tuple or a list: it alone is what the operation cannot take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.values import (
    STATIC,
    Iterable,
    Level,
    ListCell,
    Object,
    Tuple,
    Value,
    atoms_of,
    level_of,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def part(it: Interpreter, value: Value, at: int, node: ir.Expr, least: Level = Level.MAPPED) -> Operand:
    """The argument at `at` of a call, or the element of it whose level is at least this."""
    written = _argument(node, at)
    for _ in range(MAX_NESTING):
        elements = iteration.exact_elements(it, value) if isinstance(value, Tuple | Object) else None
        found = [] if elements is None else [n for n, each in enumerate(elements) if _is_lifted(it, each, least)]
        if elements is None or not found:
            break
        number = next((n for n in found if _is_surely_lifted(elements[n], least)), found[0])
        written = _element(written, number, len(elements))
        at = at if written is None else written.at
        value = elements[number]
    return Operand(_of_some(it, value), it.frame, at if at >= 0 else node.at)


def _argument(node: ir.Expr, at: int) -> ir.Expr | None:
    """The argument of a call that stands at a place."""
    if not isinstance(node, ir.Call):
        return None
    arguments = (*node.args, *(value for _, value in node.keywords))
    return next((argument for argument in arguments if argument.at == at), None)


def _element(written: ir.Expr | None, number: int, count: int) -> ir.Expr | None:
    match written:
        case ir.SequenceDisplay(elements=elements) if len(elements) == count:
            return elements[number]
        case _:
            return None


def _of_some(it: Interpreter, value: Value) -> Value:
    """Of a container of unknown length, what its elements are: there may be none."""
    match value:
        case Iterable(element=element):
            return join(element, STATIC)
        case Object():
            cell = it.cell(value)
            return join(cell.element, STATIC) if isinstance(cell, ListCell) and cell.elements is None else value
        case _:
            return value


def _is_lifted(it: Interpreter, value: Value, least: Level, depth: int = 0) -> bool:
    if any(_reaches(atom, least) for atom in atoms_of(value)):
        return True
    elements = iteration.exact_elements(it, value) if isinstance(value, Tuple | Object) else None
    return depth < MAX_NESTING and any(_is_lifted(it, each, least, depth + 1) for each in elements or ())


def _is_surely_lifted(value: Value, least: Level) -> bool:
    return all(_reaches(atom, least) for atom in atoms_of(value))


def _reaches(atom: Value, least: Level) -> bool:
    return (level_of(atom) or Level.HOST) >= least
