"""Functions that a function defines for itself: it calls them, and hands them to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@memoised
def only_called(_: Interpreter, function: ir.Function) -> frozenset[str]:
    """The names by which a function calls functions that it defines, and which it uses in no other way."""
    nodes = list(walks.nodes(function.body))
    defined = {
        node.function.name for node in nodes if isinstance(node, ir.FunctionDefinition) and not node.function.decorators
    }
    used = [node for node in nodes if isinstance(node, ir.Name) and node.id in defined]
    called = {node.func.at for node in nodes if isinstance(node, ir.Call)}
    handed_on = {node.id for node in used if node.at not in called}
    return frozenset(node.id for node in used) - handed_on


@memoised
def called(_: Interpreter, function: ir.Function) -> frozenset[str]:
    """The names that a function, or one in it, calls."""
    calls = (node for node in walks.nodes(function.body) if isinstance(node, ir.Call))
    return frozenset(call.func.id for call in calls if isinstance(call.func, ir.Name))
