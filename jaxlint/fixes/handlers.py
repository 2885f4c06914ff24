"""Handlers around code: where somebody waits for an error, code that raises does something all the same."""

from __future__ import annotations

from jaxlint.fixes.code import Code
from jaxlint.syntax import ir


def is_tried(code: Code, at: int) -> bool:
    """Whether code stands in a `try` with handlers, or in a `with` that may catch what it raises."""
    for node in code.ancestors(at):
        if isinstance(node, ir.Try) and node.handlers and any(node.at <= at and _holds(code, s, at) for s in node.body):
            return True
        if isinstance(node, ir.With) and any(_may_catch(code, item.context) for item in node.items):
            return True
    return False


def _holds(code: Code, statement: ir.Stmt, at: int) -> bool:
    return statement.at == at or any(node.at == at for node in code.inside(statement))


def _may_catch(code: Code, context: ir.Expr) -> bool:
    """Whether a context manager is one that may suppress or want an error, by the last part of its name."""
    called = context.func if isinstance(context, ir.Call) else context
    name = code.segment(called.at).rpartition(".")[2].lower()
    return "suppress" in name or "raises" in name
