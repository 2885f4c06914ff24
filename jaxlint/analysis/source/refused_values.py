"""Values that a function looks through by a call, and refuses by an exception where it finds what must not be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import completion, ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter


@memoised
def are_looked_through(_: Interpreter, body: ir.Block, used: ir.Expr) -> bool:
    """Whether variables in an expression were given to a call, and a test of what it found raises an exception."""
    names = walks.names(used)
    tests = [test for test, at in _refusals(body) if at < used.at]
    return any(_is_given(node, names) for test in tests for node in walks.nodes(test)) or not names.isdisjoint(
        given for name in {name for test in tests for name in walks.names(test)} for given in _given_for(body, name)
    )


def _refusals(body: ir.Block) -> Iterator[tuple[ir.Expr, int]]:
    """The tests behind which a block raises, and where they stand."""
    for statement in walks.statements(body):
        match statement:
            case ir.If(test=test, body=inner, orelse=orelse):
                if completion.only_raises(inner) or (orelse and completion.only_raises(orelse)):
                    yield test, statement.at
            case ir.Assert(test=test):
                yield test, statement.at
            case _:
                pass


def _given_for(body: ir.Block, name: str) -> Iterator[str]:
    """The variables that were given to the calls whose results a name is bound to."""
    for statement in walks.statements(body):
        match statement:
            case ir.Assign(targets=targets, value=ir.Call(args=args)):
                if any(name in walks.target_names(target) for target in targets):
                    yield from (part.id for part in args if isinstance(part, ir.Name))


def _is_given(node: object, names: frozenset[str]) -> bool:
    return isinstance(node, ir.Call) and any(isinstance(part, ir.Name) and part.id in names for part in node.args)
