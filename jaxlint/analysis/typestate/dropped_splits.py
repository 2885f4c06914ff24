"""Splits of which nothing reads a key: what splits the same key elsewhere repeats nothing that is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.analysis.typestate.equal_draws import scope_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import KeyUse
    from jaxlint.analysis.machine.interpreter import Interpreter

_DROPPED: Final = "nothing reads the subkeys of one of the two splits, so that no number is drawn from them"


def purpose(it: Interpreter, new: KeyUse, earlier: KeyUse) -> str:
    """Why it does no harm that a key is split twice, empty where something reads a key of both splits."""
    both = (earlier, new)
    is_split_twice = all(use.action == "split" for use in both)
    return _DROPPED if is_split_twice and any(_is_dropped(it, use) for use in both) else ""


def _is_dropped(it: Interpreter, use: KeyUse) -> bool:
    """Whether the function that splits a key binds the new keys to names that it never reads."""
    step = use.chain[-1]
    source = it.project.files.get(step.path)
    body = () if source is None else scope_of(source.module.body, step.at)
    return source is not None and body is not source.module.body and _is_read_nowhere(it, body, step.at)


@memoised
def _is_read_nowhere(_: Interpreter, body: ir.Block, at: int) -> bool:
    """Whether an assignment binds names alone, and nothing but what it is computed from reads them; in a loop, no one.

    A pass of a loop reads what the one before has bound.
    """
    statement = statement_of(body, at)
    if (
        not isinstance(statement, ir.Assign)
        or statement.value.at != at
        or not all(map(_is_of_names, statement.targets))
    ):
        return False
    names = {name for target in statement.targets for name in walks.target_names(target)}
    loops = (part for part in walks.statements(body) if isinstance(part, ir.For | ir.While))
    is_in_loop = any(at in walks.ordinals(loop.body) for loop in loops)
    own = set(walks.ordinals(statement.targets if is_in_loop else statement))
    return not any(part.id in names and part.at not in own for part in walks.nodes(body) if isinstance(part, ir.Name))


def _is_of_names(target: ir.Expr) -> bool:
    elements = target.elements if isinstance(target, ir.SequenceDisplay) else (target,)
    return all(isinstance(element, ir.Name) for element in elements)
