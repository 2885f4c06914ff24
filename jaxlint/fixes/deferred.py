"""Statements that belong to the run, not to the trace: made a function that `jax.debug.callback` calls with arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.known_values import is_array
from jaxlint.fixes.names import fresh_name, is_local, is_stored_to, reads
from jaxlint.syntax import ir

#: Why somebody should look at it.
REASON: Final = "it runs whenever the program does, possibly later than the code around it"
#: What leaves the statement, or makes names that the code around it could not see any more.
_LEAVING: Final = (
    ir.Return, ir.Yield, ir.Await, ir.Jump, ir.ScopeDeclaration, ir.Delete, ir.FunctionDefinition, ir.ClassDefinition,
    ir.NamedExpression, ir.Import, ir.Lambda, ir.Comprehension, ir.Try, ir.If, ir.For, ir.While, ir.Match,
)  # fmt: skip
_INDENT: Final = "    "
_UNINDENTABLE: Final = re.compile(r"\"{3}|'{3}|\\[\r\n]")


def deferred(code: Code, statement: ir.Stmt, kinds: Mapping[str, str], wish: str) -> list[Change] | None:
    """The changes that make a simple statement, or a `with` of such, a local function for a callback.

    `kinds` tells what its names hold. None where a name may hold a traced
    value that cannot be handed over, or what the statement binds is read elsewhere.
    """
    names = _given(code, statement, kinds)
    named = name_of(code, statement.at, "jax.debug.callback")
    if not names or named is None or _leaves(code, statement):
        return None
    start, end = code.span(statement.at)[0], _end(code, statement)
    line = code.line_start(start)
    indentation, text = code.text[line:start], code.text[start:end]
    is_alone = (
        not indentation.strip(" \t\f") and re.match(r"[ \t]*(#[^\r\n]*)?([\r\n]|\Z)", code.text[end:]) is not None
    )
    if not is_alone or _UNINDENTABLE.search(text):
        return None
    function = fresh_name(code, statement.at, wish)
    lines = text.split(code.newline)
    body = [f"{indentation}{_INDENT}{lines[0]}", *(_indented(each) for each in lines[1:])]
    listed = ", ".join(names)
    head = f"def {function}({listed}):"
    rest = _comment(code, end)
    call = f"{indentation}{named.text}({function}, {listed})"
    gap = "" if code.block(statement.at)[0].at == statement.at else code.newline
    new = code.newline.join([f"{gap}{indentation}{head}", *body]) + rest
    made = Change(line, end + len(rest), f"{new}{code.newline}{code.newline}{call}")
    return [made, *named.changes]


def _indented(line: str) -> str:
    """A line further in, behind what stands for the margin of a notebook's cell."""
    margin = len(line) - len(line.lstrip("\f"))
    return f"{line[:margin]}{_INDENT}{line[margin:]}" if line.strip() else line


def _comment(code: Code, end: int) -> str:
    found = re.match(r"[ \t]*#[^\r\n]*", code.text[end:])
    return "" if found is None else found.group()


def _end(code: Code, statement: ir.Stmt) -> int:
    while isinstance(statement, ir.With):
        statement = statement.body[-1]
    return code.span(statement.at)[1]


def _leaves(code: Code, statement: ir.Stmt) -> bool:
    inside = list(code.inside(statement))
    bound = {node.id for node in inside if isinstance(node, ir.Name) and _is_bound(code, node)}
    last = max((node.at for node in inside), default=statement.at)
    outside = (read for name in bound for read in reads(code, name, code.owner(statement.at)))
    return any(isinstance(node, _LEAVING) for node in inside) or any(
        not statement.at <= read.at <= last for read in outside
    )


def _is_bound(code: Code, name: ir.Name) -> bool:
    parent = code.parent(name.at)
    return is_stored_to(code, name) and not isinstance(parent, (ir.Subscript, ir.Attribute))


def _given(code: Code, statement: ir.Stmt, kinds: Mapping[str, str]) -> list[str] | None:
    """The names of arrays that the statement reads, in order; None where it reads what may be or hold another one."""
    found: dict[str, None] = {}
    inside = [node for node in code.inside(statement) if isinstance(node, ir.Name)]
    bound = {node.id for node in inside if _is_bound(code, node)}
    for node in inside:
        if node.id in bound or not is_local(code, node):
            continue
        kind = kinds.get(node.id, "")
        if not kind:
            return None
        if is_array(kind):
            found[node.id] = None
    return list(found)
