"""Decorators of the project that make classes as a library's do: its own `pytree_dataclass` around `dataclasses`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.values import FunctionValue, Value
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python.library_names import named_in
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def kinds(it: Interpreter, decorator: Value) -> tuple[str, ...]:
    """What a decorator that is a function of the project makes of a class: what it names says so."""
    function = underlying(decorator)
    return () if function is None else _kinds(it, function)


@memoised
def _kinds(it: Interpreter, function: FunctionValue) -> tuple[str, ...]:
    nodes = walks.nodes(function.function.body)
    named = {named_in(it, function, node) for node in nodes if isinstance(node, ir.Name | ir.Attribute)} - {""}
    found = {it.api.class_kind(name) for name in named} | {"pytree" for name in named if _registers(it, name)}
    return tuple(sorted(found - {""}))


def _registers(it: Interpreter, name: str) -> bool:
    """Whether a function of a library makes instances of a class pytrees."""
    meaning = it.api.meaning(name)
    return meaning is not None and meaning.head == "register_class"
