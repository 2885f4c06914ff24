"""The blocks of compound statements."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.syntax import ir


def blocks(statement: ir.Stmt) -> Iterator[ir.Block]:
    """The blocks of a compound statement that run in its own scope: none of a definition or a simple statement."""
    match statement:
        case ir.If() | ir.For() | ir.While():
            yield from (statement.body, statement.orelse)
        case ir.With():
            yield statement.body
        case ir.Try():
            yield from (statement.body, *(handler.body for handler in statement.handlers))
            yield from (statement.orelse, statement.final)
        case ir.Match():
            yield from (case.body for case in statement.cases)
        case _:
            pass
