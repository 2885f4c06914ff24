"""Functions that put their arguments one behind the other: no result has the size of an argument.

So XLA has no use for a buffer that is donated to one, as run on JAX 0.10.2: all arguments live on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.values import Qualified, Value
from jaxlint.analysis.jax.returned_places import returns_of
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_MAPS: Final = "tree_map"


def are_longer(it: Interpreter, target: Value) -> bool:
    """Whether all that a function returns is made of several arrays each, leaf by leaf."""
    function = underlying(target)
    if function is None:
        return False
    returned = [statement.value for statement in returns_of(function.function.body)]
    return bool(returned) and all(_is_longer(it, function.module.path, value) for value in returned)


def _is_longer(it: Interpreter, path: str, value: ir.Expr | None) -> bool:
    if not isinstance(value, ir.Call) or not value.args:
        return False
    callee = it.tables[Callees].by_call.get((path, value.at))
    if not isinstance(callee, Qualified):
        return False
    name, first = it.api.canonical(callee.name), value.args[0]
    if it.api.has(name, "gathers"):
        parts = first.elements if isinstance(first, ir.SequenceDisplay) else ()
        return len(parts) > 1 and not any(isinstance(part, ir.Starred) for part in parts)
    meaning = it.api.meaning(name)
    if meaning is None or meaning.head != _MAPS or not isinstance(first, ir.Lambda):
        return False
    return all(_is_longer(it, path, each.value) for each in returns_of(first.function.body))
