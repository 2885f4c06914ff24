"""Lists and tuples that are given to functions of arrays.

Under-approximates: of what library functions return, tables do not say when it is one array instead of several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import (
    Arguments,
    Atom,
    FunctionValue,
    Iterable,
    ListCell,
    Object,
    Qualified,
    Static,
    Tuple,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.events.arrays import SequenceArgument
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.source import reaching_definitions
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import FunctionRow


def check(it: Interpreter, name: str, row: FunctionRow, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules of a sequence where a function takes an array: its first argument, or any of an operation."""
    if not it.wants(SequenceArgument) or not it.api.has(name, "rejects-sequences"):
        return
    count = len(arguments.positional) if row.shape.head in ("elementwise", "product", "dot") else 1
    given = list(zip(arguments.positional[:count], arguments.positional_at))
    first = row.params.at(0)
    if first is not None and first in arguments.keywords:
        given.append((arguments.keywords[first], arguments.keyword_at.get(first, -1)))
    for value, at in given:
        kind = "" if at < 0 else _sequence_kind(it, value, walks.expression_at(node, at))
        if kind:
            it.emit(SequenceArgument(it.frame, node.at, Operand(value, it.frame, at), name, kind))
            return


def _sequence_kind(it: Interpreter, value: Value, written: ir.Expr | None) -> str:
    """`list` or `tuple`, where a value surely is one."""
    if isinstance(written, ir.SequenceDisplay) and isinstance(value, Tuple):
        return "tuple"
    kinds = {_kind(it, atom, written) for atom in atoms_of(value) if not is_none(atom)}
    return kinds.pop() if len(kinds) == 1 else ""


def _kind(it: Interpreter, atom: Atom, written: ir.Expr | None) -> str:
    match atom:
        case Tuple(elements=elements):
            return "tuple" if elements and all(map(_is_number, elements)) else ""
        case Iterable(kind="tuple", element=element):
            return "tuple" if _is_number(element) else ""
        case Object():
            cell = it.cell(atom)
            return "list" if isinstance(cell, ListCell) and not _is_from_elsewhere(it, cell, written) else ""
        case _:
            return ""


def _is_number(value: Value) -> bool:
    return isinstance(value, Static) and value.type in ("int", "float")


def _is_from_elsewhere(it: Interpreter, cell: ListCell, written: ir.Expr | None) -> bool:
    """Whether a function that is none of Python's own made a list, or other code, which may give arrays as well.

    So may a caller, whatever the annotation says that alone makes a value a list, or a part of one.
    What a function of the project, called here, has written out as a list and returns is one.
    """
    if cell.birth.declared:
        return True
    if cell.birth.frame != it.frame.serial and not _is_returned(it, written):
        return True
    callee = it.tables[Callees].by_call.get((cell.birth.path, cell.birth.at))
    return callee is not None and not (isinstance(callee, Qualified) and callee.name.startswith("builtins."))


def _is_returned(it: Interpreter, written: ir.Expr | None) -> bool:
    """Whether a function of the project that is called here returns the value."""
    if isinstance(written, ir.Name):
        bindings = reaching_definitions.known_bindings(it, it.frame.body, written.id)
        written = bindings[0].value if len(bindings) == 1 else None
    if not isinstance(written, ir.Call):
        return False
    return isinstance(it.tables[Callees].by_call.get((it.frame.path, written.at)), FunctionValue)
