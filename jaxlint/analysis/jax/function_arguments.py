"""Values where a transform takes functions: mostly what a function returned that was called, not passed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import short_name
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    Arguments,
    Array,
    Atom,
    FunctionValue,
    Key,
    Level,
    Object,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.events.contracts import ValueAsFunction
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.levels import NUMBERS
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import TransformRow


def tell_values(it: Interpreter, row: TransformRow, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules where a transform is given values that nobody can call."""
    if not it.wants(ValueAsFunction) or not it.api.has(name, "calls-functions"):
        return
    given = list(_given(it, row, arguments, node))
    was_traced = _was_traced_with_functions(it, [value for value, _ in given], node)
    wrong = tuple(
        Operand(value, it.frame, at)
        for value, at in given
        if _is_value(it, value, node, at) and not (was_traced and _is_global(it, walks.expression_at(node, at)))
    )
    if not wrong or is_in_pairs(it, name, arguments):
        return
    passed = [each for each in row.operands if each.name not in ("pred", "index")]
    is_alone = not any(arguments.get(each.position, each.name) for each in passed)
    it.emit(ValueAsFunction(it.frame, wrong[0].at, wrong, short_name(name), len(given), is_alone))


@dataclass(slots=True)
class _TracedCalls(Table):
    """Transforms that a trace met, by path and ordinal, when what they are given were functions."""

    with_functions: set[tuple[str, int]] = field(default_factory=set)


def _was_traced_with_functions(it: Interpreter, given: Sequence[Value], node: ir.Expr) -> bool:
    """Whether a trace found functions here: what their names are bound to later is not looked at again."""
    known, call = it.tables[_TracedCalls].with_functions, (it.frame.path, node.at)
    if it.frame.trace is not None and given and all(isinstance(value, FunctionValue) for value in given):
        known.add(call)
    return call in known


def _is_global(it: Interpreter, written: ir.Expr | None) -> bool:
    found = it.find_binding(written.id) if isinstance(written, ir.Name) else None
    return found is not None and found[0].kind == "module"


def _given(it: Interpreter, row: TransformRow, arguments: Arguments, node: ir.Expr) -> Iterator[tuple[Value, int]]:
    """The arguments that are to be functions, each with where it stands."""
    for spec in row.functions:
        value, at = arguments.get(spec.position, spec.keyword), arguments.at(spec.position, spec.keyword)
        if value is None:
            continue
        if not spec.is_list:
            yield value, at if at >= 0 else node.at
            continue
        written = walks.expression_at(node, at)
        elements = written.elements if isinstance(written, ir.SequenceDisplay) else ()
        for number, element in enumerate(iteration.exact_elements(it, value) or ()):
            yield element, elements[number].at if number < len(elements) else max(at, node.at)


def _is_value(it: Interpreter, value: Value, node: ir.Expr, at: int) -> bool:
    """Whether a value surely cannot be called; None is what is left out on purpose, unless a call gave it."""
    atoms = atoms_of(value)
    if all(isinstance(atom, Static) and is_none(atom) for atom in atoms):
        return isinstance(walks.expression_at(node, at), ir.Call)
    return all(_is_uncallable(it, atom) for atom in atoms)


def _is_uncallable(it: Interpreter, atom: Atom) -> bool:
    match atom:
        case Array(level=Level.HOST):
            return atom.dtype not in (None, "object") or atom.shape is not None
        case Array() | Key() | Tuple():
            return True
        case Static():
            return atom.type in NUMBERS
        case Object():
            return isinstance(it.cell(atom), CONTAINERS)
        case _:
            return False


def is_in_pairs(it: Interpreter, name: str, arguments: Arguments) -> bool:
    """Whether each function comes with an operand of its own: `cond(pred, x, f, y, g)`, also by name."""
    if not it.api.has(name, "takes-pairs"):
        return False
    if {"true_operand", "false_operand"} <= arguments.keywords.keys():
        return True
    if len(arguments.positional) != 5:
        return False
    functions = (arguments.positional[2], arguments.positional[4])
    return all(isinstance(a, Unknown) or not _is_uncallable(it, a) for f in functions for a in atoms_of(f))
