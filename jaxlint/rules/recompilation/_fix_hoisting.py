"""Compiled functions that are made again and again, moved to where they are made once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import qualified_name
from jaxlint.fixes.names import fresh_name, is_stored_to
from jaxlint.fixes.statement_edits import before, start_of
from jaxlint.syntax import ir
from jaxlint.syntax.positions import LINE_BREAK, lines_of

#: Libraries whose functions give the same each time they are traced.
_PURE: Final = ("jax.", "functools.partial", "math.")
_PLAIN: Final = frozenset({"abs", "len", "max", "min", "range", "sum", "zip", "enumerate", "tuple", "int", "float"})
_REASON = "what it reads from outside must not change between iterations"


def out_of_loop(code: Code, at: int, loop_at: int) -> Fix | None:
    """Make the compiled function before the loop, where nothing that it reads changes in the loop."""
    node, loop = code.node(at), code.node(loop_at)
    if not isinstance(loop, (ir.For, ir.While)) or not any(n.at == loop_at for n in code.ancestors(at)):
        return None
    parent = code.parent(at)
    made = parent if isinstance(parent, ir.FunctionDefinition) else node
    own = {parent.function.name} if isinstance(parent, ir.FunctionDefinition) else set()
    read = _all_reads(code, made)
    if read is None or read & (_changed(code, loop) - own) or not _stands_alone(code, loop):
        return None
    statement = code.statement(at)
    if isinstance(parent, ir.FunctionDefinition):
        changes = _definition(code, parent, loop) if len(parent.function.decorators) == 1 else None
    elif isinstance(statement, ir.Assign) and statement.value.at == at:
        changes = _assignment(code, statement, loop)
    else:
        changes = _expression(code, node, loop)
    if changes is None:
        return None
    if _is_constant(code, made, read - own):
        return code.fix("Make it before the loop", changes)
    return code.fix("Make it before the loop", changes, Applicability.UNSAFE, _REASON)


def _is_constant(code: Code, made: Any, read: set[str]) -> bool:  # noqa: ANN401 - a node
    """Whether each trace of it gives the same: it reads JAX's functions and its arguments alone."""
    body = [made, *code.inside(made)]
    is_silent = not any(isinstance(n, ir.ExpressionStatement) and isinstance(n.value, ir.Call) for n in body)
    names = [n for n in body if isinstance(n, ir.Name) and n.id in read]
    others = {n.id for n in names if not (qualified_name(code, _dotted(code, n)) or "").startswith(_PURE)}
    return is_silent and others <= _PLAIN


def _dotted(code: Code, node: Any) -> Any:  # noqa: ANN401 - an expression
    """The longest dotted name that a name begins: `jax.numpy.sum` for the `jax` in it."""
    parent = code.parent(node.at)
    if isinstance(parent, ir.Attribute) and parent.base.at == node.at:
        return _dotted(code, parent)
    return node


def _reads(code: Code, node: Any) -> set[str]:  # noqa: ANN401 - a node
    """The names that a node takes from outside, those that it makes itself left out."""
    read = {n.id for n in code.inside(node) if isinstance(n, ir.Name) and not is_stored_to(code, n)}
    parameters = {n.name for n in code.inside(node) if isinstance(n, ir.Parameter)}
    return read - parameters


def _all_reads(code: Code, node: Any) -> set[str] | None:  # noqa: ANN401 - a node
    """What a node reads, and the functions of this file that it names; None where one of them writes outer names."""
    functions = {n.function.name: n for n in code.owned(None) if isinstance(n, ir.FunctionDefinition)}
    found: set[str] = set()
    pending = [node]
    while pending:
        made = pending.pop()
        if any(isinstance(n, ir.ScopeDeclaration) for n in code.inside(made)):
            return None
        new = _reads(code, made) - found
        found |= new
        pending += [functions[name] for name in new if name in functions]
    return found


def _changed(code: Code, loop: Any) -> set[str]:  # noqa: ANN401 - a statement
    """The names that the loop binds, or whose parts it assigns."""
    owner = code.owner(loop.at)
    found = {
        n.id
        for n in code.inside(loop)
        if isinstance(n, ir.Name) and is_stored_to(code, n) and code.owner(n.at) is owner
    }
    return found | {n.function.name for n in code.inside(loop) if isinstance(n, ir.FunctionDefinition)}


def _stands_alone(code: Code, loop: Any) -> bool:  # noqa: ANN401 - a statement
    start = code.span(loop.at)[0]
    return not code.text[code.line_start(start) : start].strip()


def _lines(code: Code, start: int, end: int, indentation: str) -> str | None:
    """Whole lines with another indentation; None where a text of several lines stands in them."""
    old = code.indentation(start)
    text = code.text[code.line_start(start) : end]
    if '"""' in text or "'''" in text or "\\\n" in text:
        return None
    return "".join(indentation + line.removeprefix(old) if line.strip() else line for line in lines_of(text))


def _definition(code: Code, definition: ir.FunctionDefinition, loop: Any) -> list[Change] | None:  # noqa: ANN401
    """Move a whole `def` with its decorator."""
    start = start_of(code, definition)
    inside = [n for n in code.inside(definition.function) if code.statement(n.at).at == n.at]
    end = max(code.span(n.at)[1] for n in inside)
    match = LINE_BREAK.search(code.text, end)
    if match is None or code.text[code.line_start(start) : start].strip() or len(code.block(definition.at)) == 1:
        return None
    top = code.line_start(code.span(loop.at)[0])
    moved = _lines(code, start, match.end(), code.indentation(code.span(loop.at)[0]))
    if moved is None:
        return None
    rest = match.end()
    blank = LINE_BREAK.match(code.text, rest)
    return [
        Change(top, top, moved + code.newline),
        Change(code.line_start(start), blank.end() if blank else rest, ""),
    ]


def _assignment(code: Code, statement: ir.Assign, loop: Any) -> list[Change] | None:  # noqa: ANN401 - a statement
    """Move `f = jax.jit(...)`."""
    target = statement.targets[0]
    owner = code.owner(loop.at)
    stores = [
        n
        for n in code.owned(owner)
        if isinstance(n, ir.Name) and n.id == getattr(target, "id", "") and is_stored_to(code, n)
    ]
    start, end = code.span(statement.at)
    match = LINE_BREAK.search(code.text, end)
    line = code.line_start(start)
    if len(stores) != 1 or match is None or code.text[line:start].strip() or code.text[end : match.start()].strip():
        return None
    if len(code.block(statement.at)) == 1:
        return None
    top = code.line_start(code.span(loop.at)[0])
    moved = _lines(code, start, match.end(), code.indentation(code.span(loop.at)[0]))
    if moved is None:
        return None
    return [Change(top, top, moved), Change(line, match.end(), "")]


def _expression(code: Code, call: Any, loop: Any) -> list[Change] | None:  # noqa: ANN401 - an expression, a statement
    """Name `jax.jit(...)` before the loop, and use the name."""
    if not isinstance(call, ir.Call) or "\n" in code.segment(call.at):
        return None
    name = fresh_name(code, call.at, "compiled")
    return [before(code, loop, f"{name} = {code.segment(call.at)}"), Change(*code.outer(call.at), name)]


def to_module(code: Code, at: int) -> Fix | None:
    """Make the compiled function once for the module, where it reads nothing of the function around it."""
    call, parent = code.node(at), code.parent(at)
    made = parent if isinstance(parent, ir.FunctionDefinition) else call
    read = _all_reads(code, made)
    if read is None or read & set(_local_names(code, at)):
        return None
    top = _top(code, at)
    if isinstance(parent, ir.FunctionDefinition):
        return None
    if not isinstance(call, ir.Call) or "\n" in code.segment(at) or code.text[slice(*code.span(at))].count("self"):
        return None
    name = fresh_name(code, top.at, "_compiled")
    line = f"{name} = {code.segment(at)}{code.newline}{code.newline}{code.newline}"
    start = start_of(code, top)
    changes = [Change(start, start, line), Change(*code.outer(at), name)]
    return code.fix("Make it once", changes, Applicability.UNSAFE, "it is made when the module is imported")


def _local_names(code: Code, at: int) -> Iterator[str]:
    """The names of all functions around a node."""
    parent = code.parent(at)
    for owner in code.owners(parent.at if isinstance(parent, ir.FunctionDefinition) else at):
        yield from owner.scope.bound


def _top(code: Code, at: int) -> Any:  # noqa: ANN401 - a statement
    """The statement of the module that a node is in."""
    return next(s for s in reversed(code.source.module.body) if s.at <= at)
