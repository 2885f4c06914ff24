"""What a Linen module needs to be run: keys for its draws, and its variables by name, mutable where it updates them.

Under-approximates: only draws and updates on the path that surely runs, by layers whose flags and rates are known, and
parameters that `init` is seen to give.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import (
    Arguments,
    BoundMethod,
    DictCell,
    FunctionValue,
    Leaves,
    Object,
    Partial,
    Static,
    Transformed,
    Value,
    is_none,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.frameworks import ImmutableCollection, MissingStream, UnwrappedCollection
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import iteration
from jaxlint.analysis.source import reaching_definitions
from jaxlint.analysis.typestate import rng_streams
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import KeyUse, Step
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.typestate.rng_streams import Uses

#: The collection that `init` always makes.
PARAMETERS = rng_streams.DEFAULT


@dataclass(slots=True)
class _Initial(Table):
    """The collections that `init` gave, by identity, with their names."""

    names: dict[Ident, str] = field(default_factory=dict)


def initial(it: Interpreter, node: ir.Expr) -> dict[str, Value]:
    """The collections that `init` surely gives, by name."""
    ident = it.ident(node.at)
    it.tables[_Initial].names[ident] = PARAMETERS
    return {PARAMETERS: Leaves(it.frame.ambient, None, ident)}


def check(it: Interpreter, arguments: Arguments, options: dict[str, Value], uses: Uses, node: ir.Expr) -> None:
    """A module was run by `apply`: tell the rules of what it needed and was not given."""
    if arguments.extra or not isinstance(node, ir.Call):
        return
    if not all(_is_bound_once(it, part) for part in (node.func, *node.args[:1])):
        return
    _check_variables(it, arguments, node)
    given = _streams(it, options.get("rngs"))
    if given is not None and PARAMETERS not in given:
        for name, use in _sure(it, uses.draws, node):
            if name not in given:
                it.emit(MissingStream(it.frame, node.at, name, _place(use)))
    mutable = _mutable(it, options.get("mutable"))
    for name, use in _sure(it, uses.updates, node):
        if mutable is not None and name not in mutable:
            it.emit(ImmutableCollection(it.frame, node.at, name, _place(use), is_among_others=bool(mutable)))


def _check_variables(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    variables = arguments.get(0, "variables")
    known = it.tables[_Initial].names.get(variables.ident) if isinstance(variables, Leaves) else None
    if variables is not None and known is not None:
        at = arguments.at(0, "variables")
        it.emit(UnwrappedCollection(it.frame, node.at, Operand(variables, it.frame, at if at >= 0 else node.at), known))


def _mutable(it: Interpreter, given: Value | None) -> frozenset[str] | None:
    """The collections that may be updated, by name; None where these are not known, or may be all."""
    if given is None or (isinstance(given, Static) and given.value is False):
        return frozenset()
    if isinstance(given, Static):
        return frozenset({given.value}) if isinstance(given.value, str) else None
    names = iteration.exact_elements(it, given)
    if names is None or not all(isinstance(name, Static) and isinstance(name.value, str) for name in names):
        return None
    return frozenset(str(name.value) for name in names if isinstance(name, Static))


def _streams(it: Interpreter, rngs: Value | None) -> frozenset[str] | None:
    """The names of the streams for which keys are given; None where they are not known."""
    if rngs is None or (isinstance(rngs, Static) and is_none(rngs)):
        return frozenset()
    cell = it.cell(rngs) if isinstance(rngs, Object) else None
    if not isinstance(cell, DictCell) or cell.rest is not None:
        return None
    return frozenset(name for name in cell.items if isinstance(name, str))


def _sure(it: Interpreter, uses: dict[str, tuple[KeyUse, ...]], node: ir.Expr) -> list[tuple[str, KeyUse]]:
    """What surely happens wherever the call does: under no further test, and in no function that is called if need be.

    What `self.variable` is given to make a value runs in `init` alone.
    """
    path, depth = it.frame.all_conditions(), len(it.frame.chain(node.at))
    found = []
    for name, known in sorted(uses.items()):
        sure = (use for use in known if use.detail is None and use.conditions == path)
        first = next((use for use in sure if all(_is_called(it, step) for step in use.chain[depth:-1])), None)
        if first is not None:
            found.append((name, first))
    return found


def _is_called(it: Interpreter, step: Step) -> bool:
    """Whether a call is one of code in sight, not of something that may call it."""
    return isinstance(it.tables[Callees].by_call.get((step.path, step.at)), _CODE)


_CODE = (FunctionValue, BoundMethod, Object, Partial, Transformed)


def _is_bound_once(it: Interpreter, node: ir.Expr | None) -> bool:
    """Whether an expression is what it is now whenever the code runs, of which no call may be known.

    A function of a module is looked at when all of the module has run, but may be called before a name is bound again.
    """
    while isinstance(node, ir.Attribute | ir.Subscript):
        node = node.base
    found = it.find_binding(node.id) if isinstance(node, ir.Name) else None
    if found is None or found[0] is it.frame or not isinstance(node, ir.Name):
        return True
    return len(reaching_definitions.known_bindings(it, found[0].body, node.id)) <= 1


def _place(use: KeyUse) -> Place:
    return Place(use.chain[-1].path, use.chain[-1].at)
