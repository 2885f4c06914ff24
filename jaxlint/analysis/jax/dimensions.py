"""Dimensions of shapes that are written out: what stands among them and is no integer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Atom, Iterable, ListCell, Object, Static, Tuple, Union, Value, atoms_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import Dimension
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def tell(it: Interpreter, function: str, given: Sequence[tuple[Value, int]], node: ir.Expr) -> None:
    """Tell the rules of what is no integer among the dimensions that a function is given, by value and place.

    One value alone may be a sequence of them.
    """
    if not it.wants(Dimension):
        return
    if len(given) == 1:
        given = list(_inside(it, *given[0], node))
    for value, at in given:
        faults = {_fault(it, atom, node, at) for atom in atoms_of(value)}
        if len(faults) == 1 and "" not in faults:
            operand = Operand(value, it.frame, at if at >= 0 else node.at)
            it.emit(Dimension(it.frame, operand.at, operand, function, faults.pop()))
            return


def _inside(it: Interpreter, value: Value, at: int, node: ir.Expr) -> Iterator[tuple[Value, int]]:
    """The elements of a shape, each with its place, or the place of all of it; a single number is its own element."""
    elements = value.elements if isinstance(value, Tuple) else () if isinstance(value, Union) else _items(it, value)
    if elements is None:
        yield value, at
        return
    written = _written(node, at)
    places = written if len(written) == len(elements) else [at] * len(elements)
    yield from zip(elements, places, strict=True)


def _items(it: Interpreter, value: Value) -> Sequence[Value] | None:
    """The elements of a list; none of other sequences, whose elements nobody tells apart."""
    if isinstance(value, Object):
        cell = it.cell(value)
        return cell.elements or () if isinstance(cell, ListCell) else ()
    return () if isinstance(value, Iterable) else None


def _written(node: ir.Expr, at: int) -> list[int]:
    """Where the elements of an argument stand that is a display."""
    if not isinstance(node, ir.Call):
        return []
    given = (*node.args, *(value for _, value in node.keywords))
    shape = next((argument for argument in given if argument.at == at), None)
    return [element.at for element in shape.elements] if isinstance(shape, ir.SequenceDisplay) else []


def _is_quotient(node: ir.Expr, at: int) -> bool:
    """Whether a dimension is written as a quotient, which is a float whatever it is made of."""
    return any(isinstance(part, ir.BinaryOperation) and part.op == "/" and part.at == at for part in walks.nodes(node))


def _fault(it: Interpreter, atom: Atom, node: ir.Expr, at: int) -> str:
    """What an atom is, where that is no dimension: a sequence, or a float; empty where it may be one.

    It is written at a place in a call. A number that an annotation calls a float may be an integer all the same.
    """
    match atom:
        case Tuple() | Iterable(kind="tuple" | "list", once=False):
            return "sequence"
        case Object() if isinstance(it.cell(atom), ListCell):
            return "sequence"
        case Static(type="float", known=known) if known or _is_quotient(node, at):
            return "float"
        case _:
            return ""
