"""Texts of traced values that are only printed, as `jax.debug.print` where they are printed."""

from __future__ import annotations

from typing import Any

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import keeps_comments
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import is_stored_to, reads
from jaxlint.rules.effects._fix_template import is_text, parts_of, quote_of, render
from jaxlint.syntax import ir
from jaxlint.syntax.positions import LINE_BREAK

_REASON = "it prints whenever the program computes the value, not once during tracing"


def printed_later(code: Code, at: int) -> Fix | None:
    """`text = f"{x}"` and `print(text)` as `jax.debug.print("{}", x)`, where nothing else reads the text."""
    node = _whole(code, at)
    statement = code.statement(at)
    if not isinstance(statement, ir.Assign) or statement.value.at != node.at or len(statement.targets) != 1:
        return None
    target, owner = statement.targets[0], code.owner(at)
    found = list(reads(code, target.id, owner)) if isinstance(target, ir.Name) and owner is not None else []
    call: Any = code.parent(found[0].at) if len(found) == 1 else None
    if not _prints(code, call) or _changes_between(code, node, call) or code.block(at) is not code.block(call.at):
        return None
    parts = parts_of(code, node.at)
    template = None if parts is None else render(parts, quote_of(code, node.at))
    named = name_of(code, call.at, "jax.debug.print")
    line = _line(code, statement)
    if template is None or named is None or line is None:
        return None
    text = f"{named.text}({', '.join((template.literal, *template.arguments))})"
    if not keeps_comments(code, *code.span(statement.at), text) or not keeps_comments(code, *code.span(call.at), text):
        return None
    changes = [Change(*line, ""), Change(*code.span(call.at), text), *named.changes]
    return code.fix(f"Print with `{named.text}`", changes, Applicability.UNSAFE, _REASON)


def _whole(code: Code, at: int) -> Any:  # noqa: ANN401 - an expression
    """The largest text that a part belongs to."""
    node = code.node(at)
    while True:
        parent = code.parent(node.at)
        if not (isinstance(parent, ir.FormattedValue) or is_text(parent)):
            return node
        node = parent


def _prints(code: Code, call: Any) -> bool:  # noqa: ANN401 - a node
    """Whether a node is a statement `print(text)`."""
    match call:
        case ir.Call(func=ir.Name(id="print"), args=(ir.Name(),), keywords=()):
            return isinstance(code.parent(call.at), ir.ExpressionStatement)
        case _:
            return False


def _changes_between(code: Code, node: Any, call: Any) -> bool:  # noqa: ANN401 - nodes
    """Whether a name in the text is given another value before it is printed."""
    names = {inner.id for inner in (node, *code.inside(node)) if isinstance(inner, ir.Name)}
    owned = code.owned(code.owner(node.at))
    stores = (n for n in owned if isinstance(n, ir.Name) and n.id in names and is_stored_to(code, n))
    return any(node.at < name.at < call.at for name in stores)


def _line(code: Code, statement: Any) -> tuple[int, int] | None:  # noqa: ANN401 - a statement
    """The whole line of a statement that stands alone on it."""
    start, end = code.span(statement.at)
    line, match = code.line_start(start), LINE_BREAK.search(code.text, end)
    if match is None or code.text[line:start].strip() or code.text[end : match.start()].strip():
        return None
    return line, match.end()
