"""Uses of values that many kinds of code share: hashing and turning to text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import (
    Arguments,
    DictCell,
    Level,
    Object,
    Static,
    Tuple,
    Value,
    atoms_of,
    has_no_value,
    level_of,
)
from jaxlint.analysis.events.effects import LibraryCall
from jaxlint.analysis.events.event import Operand, has_no_hash
from jaxlint.analysis.events.tracing import Formatted, Hashed
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import iteration, special_methods
from jaxlint.analysis.source import shown_facts
from jaxlint.analysis.typestate import async_dispatch
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


#: Why nothing is known of what stands under a key that has no hash: the look-up raises.
UNFOUND: Final = "an item of a dict under a key that has no hash"


@dataclass(slots=True)
class _Texts(Table):
    """What texts were made of, by the invocation and the ordinal, and whether by a format specification."""

    made_of: dict[tuple[int, int], tuple[Operand, bool]] = field(default_factory=dict)


def hashed(it: Interpreter, value: Value, node: ir.Expr, use: str) -> None:
    """A value is hashed here."""
    special_methods.call(it, value, ("__hash__",), node)
    if has_no_hash(value) and it.wants(Hashed):
        it.emit(Hashed(it.frame, node.at, it.operand(value, node), use))


def wants_numbers(template: Static) -> bool:
    """Whether every part that a template formats is formatted as a number: `"%.2f"`, `"{:.3e}"`."""
    if not isinstance(template.value, str):
        return False
    parts = [*_PERCENT.findall(template.value), *_BRACES.findall(template.value)]
    return bool(parts) and all(part[-1:] in _NUMERIC for part in parts)


_PERCENT = re.compile(r"%[-+ #0-9.*]*([a-zA-Z])")
_BRACES = re.compile(r"\{[^{}:]*(?::([^{}]*))?\}")
_NUMERIC = frozenset("bcdeEfFgGnoxXi%")


#: The methods that make a text of an object: the first that its class has.
AS_TEXT: Final = ("__str__", "__repr__")


def formatted(
    it: Interpreter,
    value: Value,
    node: ir.Expr,
    how: str,
    spec: bool = False,
    methods: tuple[str, ...] = AS_TEXT,
) -> None:
    """A value is turned to text here; with a `spec` as a number, which what is differentiated is not, either."""
    if it.frame.state.clock is not None:
        async_dispatch.looked_at(it, value)
    it.facts.host_reads += 1
    special_methods.call(it, value, methods, node)
    if any(has_no_value(atom) or (spec and level_of(atom) is Level.GRAD) for atom in atoms_of(value)):
        it.tables[_Texts].made_of[it.frame.serial, node.at] = (it.operand(value, node), spec)
        it.emit(Formatted(it.frame, node.at, it.operand(value, node), it.frame.output or how, spec))


def formatted_operands(it: Interpreter, template: Static, value: Value, node: ir.Expr) -> None:
    """`"..." % value`: each part of a tuple is turned to text."""
    spec = wants_numbers(template)
    if isinstance(value, Tuple) and isinstance(node, ir.SequenceDisplay) and len(node.elements) == len(value.elements):
        for part, at in zip(value.elements, node.elements):
            formatted(it, part, at, "%", spec)
    else:
        formatted(it, value, node, "%", spec)


def library_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """Traced code calls something that reaches outside: tell the rules, with the texts made for it."""
    if not isinstance(node, ir.Call) or not it.wants(LibraryCall):
        return
    row = it.api.effect(name)
    if row is None:
        return
    serial, texts_made = it.frame.serial, it.tables[_Texts].made_of
    found = (texts_made.get((serial, at)) for at in walks.ordinals((node.args, node.keywords)))
    made = [text for text in found if text is not None]
    texts = [operand for operand, _ in made]
    for value, at in zip(arguments.positional, arguments.positional_at):
        part = _traced_part(it, value)
        if part is not None and at >= 0:
            texts.append(Operand(part, it.frame, at))
    unformattable = next((operand for operand, spec in made if spec), None)
    missing = _is_for_missing_file(it)
    among = row.kind == "print" and shown_facts.are_beside(it, it.frame.body, node.at)
    it.emit(
        LibraryCall(it.frame, node.at, name, row.kind, arguments, node, tuple(texts), unformattable, missing, among)
    )


def _is_for_missing_file(it: Interpreter) -> bool:
    """Whether code runs where a test, here or in a caller, did not find a file: what it makes is there afterwards."""
    absent = (condition.names for condition in it.frame.all_conditions() if not condition.outcome)
    return any(it.api.has(f"*.{name.lstrip('.')}", "finds-files") for names in absent for name in names)


def _traced_part(it: Interpreter, value: Value) -> Value | None:
    """A traced element of a container that is shown as a whole."""
    exact = iteration.exact_elements(it, value) if isinstance(value, Tuple | Object) else None
    cell = it.cell(value) if isinstance(value, Object) else None
    if isinstance(cell, DictCell):
        exact = (*cell.items.values(), *(() if cell.rest is None else (cell.rest,)))
    return next((part for part in exact or () if any(has_no_value(atom) for atom in atoms_of(part))), None)
