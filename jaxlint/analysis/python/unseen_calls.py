"""Functions that are handed to code that was not looked into: nobody sees where that calls them, if at all.

It may do so while tracing, or on the host each time that the program runs, as a logger does that stands around
`jax.debug.callback`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.state import cell_values
from jaxlint.analysis.domain.values import Atom, FunctionValue, Level, Object, Qualified, Tuple, Value, atoms_of
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.source import local_calls

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter

#: So deep in containers and objects functions are looked for.
_MOST_DEPTH: Final = 3


@dataclass(slots=True)
class _Handed(Table):
    """Functions that were handed to code that was not looked into, by address with that of what they close over."""

    functions: set[tuple[int, int]] = field(default_factory=set)


def hand(it: Interpreter, values: Iterable[Value]) -> None:
    """Values go where nobody sees what is done with them; outside of traces it makes no difference."""
    handed = it.tables[_Handed].functions
    for function in () if it.frame.trace is None else functions_in(it, values):
        handed.add((id(function.function), id(function.closure)))


def hand_to(it: Interpreter, callee: Atom, values: Iterable[Value]) -> None:
    """Something unknown is called; what libraries around JAX and those of the host are given they call at once."""
    if not isinstance(callee, Qualified) or not _calls_at_once(it, callee.name):
        hand(it, values)


def _calls_at_once(it: Interpreter, name: str) -> bool:
    known = name.partition(".")[0] in sys.stdlib_module_names
    return known or it.api.is_of(name, "core", "of-jax", "host")


def left_out(it: Interpreter, function: FunctionValue, trace: Trace | None) -> None:
    """A call is not looked into; one on the host does not make the function part of the trace around."""
    if trace is not None and trace.level is Level.HOST:
        it.facts.entered.add((id(function.function), id(function.closure)))


def may_be_outside(it: Interpreter, frame: Frame, function: FunctionValue) -> bool:
    """Whether all that is known of a function that a traced call defines is that it was handed to unseen code.

    A decorator is such code, too, but where the name is called, what it made of the function runs it.
    """
    if frame.trace is None or (id(function.function), id(function.closure)) not in it.tables[_Handed].functions:
        return False
    is_called = frame.function is not None and function.function.name in local_calls.called(it, frame.function)
    return not (function.function.decorators and is_called)


def functions_in(it: Interpreter, values: Iterable[Value], depth: int = _MOST_DEPTH) -> Iterator[FunctionValue]:
    """The functions of the project among values, and in containers and objects among them."""
    for atom in (atom for value in values for atom in atoms_of(value)):
        function = underlying(atom)
        if function is not None:
            yield function
        elif depth:
            cell = it.cell(atom) if isinstance(atom, Object) else None
            inside = atom.elements if isinstance(atom, Tuple) else () if cell is None else cell_values(cell)
            yield from functions_in(it, inside, depth - 1)
