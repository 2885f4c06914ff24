"""Names to which code binds what an expression gives, and that it never reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def names_read_nowhere(it: Interpreter, body: ir.Block, at: int) -> frozenset[str]:
    """The names to which the value of a node is assigned, if the scope reads none of them."""
    statement = statement_of(body, at)
    if not isinstance(statement, ir.Assign) or statement.value.at != at:
        return frozenset()
    names = frozenset(name for target in statement.targets for name in walks.target_names(target))
    return names if names.isdisjoint(names_read(it, body)) else frozenset()


@memoised
def names_read(_: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names that a scope and those inside of it read."""
    targets = (
        target for target in walks.assignment_targets(body) if not isinstance(target, ir.Attribute | ir.Subscript)
    )
    bound = {at for target in targets for at in walks.ordinals(target)}
    return frozenset(node.id for node in walks.nodes(body) if isinstance(node, ir.Name) and node.at not in bound)
