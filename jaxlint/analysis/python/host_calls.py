"""Functions that call back to the host, by their code: those that were not interpreted, or that JAX calls.

Under-approximates: methods, and functions that are handed on, are not followed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import FunctionValue, Reason, Unknown
from jaxlint.analysis.machine.dependencies import note_host_call
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python.library_names import function_in, named_in
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class _HostCalls(Table):
    """Whether functions call back to the host, by address; why results of such ones are unknown, which copies keep."""

    known: dict[int, tuple[ir.Function, bool]] = field(default_factory=dict)
    results: set[Reason] = field(default_factory=set)


def calls_host(it: Interpreter, function: FunctionValue) -> bool:
    """Whether the code of a function, of those in it, or of those that it calls by name, calls back to the host."""
    table, key = it.tables[_HostCalls], id(function.function)
    if key not in table.known:
        table.known[key] = (function.function, False)  # where it calls itself
        table.known[key] = (function.function, _has_host_call(it, function))
    return table.known[key][1]


def _has_host_call(it: Interpreter, function: FunctionValue) -> bool:
    for call in walks.nodes(function.function.body):
        if isinstance(call, ir.Call):
            traits = it.api.traits(named_in(it, function, call.func))
            if is_host_call(traits, getattr(dict(call.keywords).get("throw"), "value", None)):
                return True
            inner = function_in(function, call.func)
            if inner is not None and calls_host(it, inner):
                return True
    return False


def is_host_call(traits: frozenset[str], throw: object) -> bool:
    """Whether a library function calls back to the host; some only to raise an error, unless `throw` is False."""
    return "calls-host" in traits or ("raises-from-host" in traits and throw is not False)


def left_out(it: Interpreter, function: FunctionValue, result: Unknown) -> Unknown:
    """A function is called but not interpreted, and gives an unknown result."""
    if calls_host(it, function):
        note_host_call(it)
        if result.reason is not None:
            it.tables[_HostCalls].results.add(result.reason)
    return result


def unknown_called(it: Interpreter, callee: Unknown) -> None:
    """Something unknown is called: it may be a function that one made which was not interpreted."""
    if callee.reason in it.tables[_HostCalls].results:
        note_host_call(it)
