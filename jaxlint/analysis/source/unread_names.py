"""Names to which code binds what an expression gives, and that it never reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@memoised
def names_read_nowhere(_: Interpreter, body: ir.Block, at: int) -> frozenset[str]:
    """The names to which the value of a node is assigned, if the scope reads none of them."""
    statement = statement_of(body, at)
    if not isinstance(statement, ir.Assign) or statement.value.at != at:
        return frozenset()
    names = {name for target in statement.targets for name in walks.target_names(target)}
    bound = {
        part.at
        for node in walks.nodes(body)
        if isinstance(node, ir.Assign)
        for target in node.targets
        if isinstance(target, ir.Name | ir.SequenceDisplay)
        for part in walks.nodes(target)
        if isinstance(part, ir.Name)
    }
    is_read = any(isinstance(part, ir.Name) and part.id in names and part.at not in bound for part in walks.nodes(body))
    return frozenset() if is_read else frozenset(names)
