"""Functions of JAX that count with sizes: in compiled code they make a traced number of what Python knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Iterable,
    Level,
    ListCell,
    Object,
    Static,
    Tuple,
    Value,
    atoms_of,
    ident_of,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.performance import StaticOperation
from jaxlint.analysis.machine.tables import Table
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _OfNumbers(Table):
    """Arrays that were made of numbers of Python alone; `told` are those of which the rules were told."""

    made: set[Ident] = field(default_factory=set)
    told: set[Ident] = field(default_factory=set)


def tell(it: Interpreter, name: str, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """Tell the rules where all that a function which counts is given are numbers that are known while tracing."""
    if it.frame.ambient is not Level.TRACED or not it.wants(StaticOperation) or arguments.extra:
        return
    is_count, is_made = it.api.has(name, "counts"), it.api.has(name, "keeps-keys")
    if not (is_count or is_made) or not all(_is_number(it, value) for value in arguments.all()):
        return
    table, ident = it.tables[_OfNumbers], ident_of(result)
    if is_made:
        table.made.add(ident)
    elif isinstance(node, ir.Call) and _is_computed(node):
        if not any(ident_of(value) in table.told for value in arguments.positional):
            operand = Operand.argument(arguments, 0, it.frame, node.at)
            it.emit(StaticOperation(it.frame, node.at, operand, name))
        table.made.add(ident)
        table.told.add(ident)


def _is_computed(node: ir.Call) -> bool:
    """Whether the numbers are made of others, and not only written."""
    return any(isinstance(part, ir.Name | ir.Attribute) for part in walks.nodes(node.args))


def _is_number(it: Interpreter, value: Value) -> bool:
    """Whether a value is a number of Python, a sequence of such, or an array that was made of them."""
    return all(_is_number_atom(it, atom) for atom in atoms_of(value))


def _is_number_atom(it: Interpreter, atom: Value) -> bool:
    match atom:
        case Static(type="int" | "float"):
            return True
        case Array(ident=ident):
            return ident is not None and ident in it.tables[_OfNumbers].made
        case Tuple(elements=elements):
            return bool(elements) and all(_is_number(it, element) for element in elements)
        case Iterable(kind="tuple", element=element):
            return _is_number(it, element)
        case Object():
            cell = it.cell(atom)
            exact = cell.elements if isinstance(cell, ListCell) else None
            return bool(exact) and all(_is_number(it, element) for element in exact or ())
        case _:
            return False
