"""Python loops on traced values as `jax.lax.fori_loop` and `while_loop`: their bodies become functions."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code, Owner
from jaxlint.fixes.comment_edits import comments
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import fresh_name, is_stored_to
from jaxlint.rules.tracing._fix_branches import is_bound_before
from jaxlint.rules.tracing._fix_conditions import Untraceable, Writer
from jaxlint.syntax import ir
from jaxlint.syntax.positions import LINE_BREAK, lines_of

_REASON: Final = "the loop's carry must keep its shapes and dtypes"
#: Statements that a function for the loop could not hold, or would hold with another meaning.
_LEAVING: Final = (
    ir.Return, ir.Jump, ir.Yield, ir.Await, ir.ScopeDeclaration, ir.Delete, ir.Try, ir.Import, ir.FunctionDefinition,
    ir.ClassDefinition, ir.Assert, ir.Raise, ir.Match,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop that can be a function: its names that live on, and where its block stands."""

    node: Any
    owner: Owner
    carried: tuple[str, ...]
    outer: str
    inner: str
    end: int

    @property
    def values(self) -> str:
        """The carried names as one value."""
        return self.carried[0] if len(self.carried) == 1 else f"({', '.join(self.carried)})"

    @property
    def results(self) -> str:
        """The carried names as results, or as targets."""
        return ", ".join(self.carried)


@dataclass(frozen=True, slots=True)
class _Call:
    """The call of `function` that a loop becomes: the header of its body's function, the carry, and what it gives.

    `before` are the lines above the header; `changes` are made elsewhere in the file.
    """

    function: str
    header: str
    carry: str
    result: str
    before: tuple[str, ...]
    changes: tuple[Change, ...]


def counted(code: Code, at: int) -> Fix | None:
    """`for i in range(n)` as `jax.lax.fori_loop`."""
    call, node = code.node(at), code.parent(at)
    if not isinstance(node, ir.For) or node.iter.at != at or not isinstance(node.target, ir.Name) or node.is_async:
        return None
    loop = _loop(code, node, frozenset({node.target.id}))
    named = name_of(code, at, "jax.lax.fori_loop")
    if loop is None or named is None or len(call.args) not in (1, 2) or call.keywords:
        return None
    writer = Writer(code)
    bounds = [writer.argument(argument) for argument in call.args]
    body, carry = _names(code, loop)
    header = f"def {body}({node.target.id}, {carry})"
    result = f"{named.text}({', '.join(bounds if len(bounds) == 2 else ['0', *bounds])}, {body}, {loop.values})"
    return _fix(code, loop, _Call(named.text, header, carry, result, (), named.changes))


def conditional(code: Code, at: int, settled: Set[str]) -> Fix | None:
    """`while test` as `jax.lax.while_loop`; safe where all that it carries is among the names of a settled type."""
    node: Any = next((n for n in code.ancestors(at) if isinstance(n, ir.While)), None)
    loop = None if node is None else _loop(code, node, frozenset())
    named = name_of(code, at, "jax.lax.while_loop")
    if loop is None or named is None:
        return None
    writer = Writer(code)
    try:
        test = writer.truth(node.test)
    except Untraceable:
        return None
    body, carry = _names(code, loop)
    condition = fresh_name(code, node.at, "condition", avoid=frozenset({body, carry}))
    before = (
        f"def {condition}({carry}):",
        *_unpacked(loop, carry),
        f"{loop.inner[len(loop.outer) :]}return {test}",
        "",
    )
    result = f"{named.text}({condition}, {body}, {loop.values})"
    changes = (*named.changes, *writer.imports)
    call = _Call(named.text, f"def {body}({carry})", carry, result, before, changes)
    return _fix(code, loop, call, is_safe=set(loop.carried) <= settled)


def _names(code: Code, loop: _Loop) -> tuple[str, str]:
    """The name of the body's function, and that of its parameter."""
    body = fresh_name(code, loop.node.at, "body")
    return body, loop.carried[0] if len(loop.carried) == 1 else fresh_name(code, loop.node.at, "carry")


def _unpacked(loop: _Loop, carry: str) -> list[str]:
    if len(loop.carried) == 1:
        return []
    return [f"{loop.inner[len(loop.outer) :]}{loop.results} = {carry}"]


def _fix(code: Code, loop: _Loop, call: _Call, *, is_safe: bool = False) -> Fix:
    start, end = code.span(loop.node.at)
    newline = code.newline
    lead = "".join(f"{line}{newline}{loop.outer}" if line else f"{newline}{loop.outer}" for line in call.before)
    lead = lead.replace(f"{newline}{loop.outer}{newline}", f"{newline}{newline}")
    changes = [Change(start, end, lead + call.header), *_blank_line(code, start)]
    if len(loop.carried) > 1:
        first = code.span(loop.node.body[0].at)[0]
        changes.append(Change(first, first, f"{loop.results} = {call.carry}{newline}{loop.inner}"))
    tail = f"{newline}{loop.inner}return {loop.results}{newline}{newline}{loop.outer}{loop.results} = {call.result}"
    changes.append(Change(loop.end, loop.end, tail))
    title = f"Loop with `{call.function}`"
    if is_safe:
        return code.fix(title, [*changes, *call.changes])
    return code.fix(title, [*changes, *call.changes], Applicability.UNSAFE, _REASON)


def _blank_line(code: Code, start: int) -> Iterator[Change]:
    """An empty line above a function that would stand below a statement."""
    line = code.line_start(start)
    above = lines_of(code.text[:line])
    text = above[-1].strip() if above else ""
    if text and not text.startswith("#") and not text.endswith(":"):
        yield Change(line, line, code.newline)


def _loop(code: Code, node: Any, targets: frozenset[str]) -> _Loop | None:  # noqa: ANN401 - a statement
    """The loop as one that carries names; None where its block does more than computing them."""
    owner = code.owner(node.at)
    inside = [inner for statement in node.body for inner in (statement, *code.inside(statement))]
    if owner is None or node.orelse or not node.body or any(map(_does_more, inside)):
        return None
    stored = [
        n for n in inside if isinstance(n, ir.Name) and is_stored_to(code, n) and not _in_comprehension(code, n, node)
    ]
    assigned = dict.fromkeys(name.id for name in stored)
    if any(_is_part(code, name) for name in stored) or targets & set(assigned):
        return None
    carried = tuple(name for name in assigned if is_bound_before(code, name, node))
    lost = (set(assigned) - set(carried)) | targets
    last = max(inner.at for inner in inside)
    if not carried or _reads_after(code, lost, owner, last) or _tests(inside, {*assigned, *targets}, code):
        return None
    if any(_starts_as_no_array(code, name, owner) for name in carried):
        return None
    return _placed(code, node, owner, carried, inside)


def _does_more(node: Any) -> bool:  # noqa: ANN401 - a node
    match node:
        case ir.ExpressionStatement(value=ir.Constant()):
            return False
        case ir.ExpressionStatement():
            return True
        case _:
            return isinstance(node, _LEAVING)


def _in_comprehension(code: Code, name: ir.Name, loop: Any) -> bool:  # noqa: ANN401 - a statement
    for node in code.ancestors(name.at):
        if node.at == loop.at:
            return False
        if isinstance(node, (ir.Comprehension, ir.Lambda)):
            return True
    return False


def _is_part(code: Code, name: ir.Name) -> bool:
    """Whether an item or an attribute of the name is assigned, not the name."""
    parent = code.parent(name.at)
    return isinstance(parent, (ir.Subscript, ir.Attribute))


def _reads_after(code: Code, names: set[str], owner: Any, last: int) -> bool:  # noqa: ANN401 - an owner
    return any(isinstance(n, ir.Name) and n.id in names and n.at > last for n in code.owned(owner))


def _tests(inside: list[Any], names: set[str], code: Code) -> bool:
    """Whether Python branches or counts in the block on something that the loop changes."""
    return any(
        isinstance(inner, ir.Name) and inner.id in names
        for node in inside
        for test in _tested(node)
        for inner in (test, *code.inside(test))
    )


def _tested(node: Any) -> Iterator[Any]:  # noqa: ANN401 - a node
    match node:
        case ir.If() | ir.While() | ir.Conditional():
            yield node.test
        case ir.For():
            yield node.iter
        case ir.BooleanOperation() | ir.UnaryOperation(op="not"):
            yield node
        case ir.Call(func=ir.Name(id="range" | "int" | "float" | "bool")):
            yield node
        case _:
            pass


def _starts_as_no_array(code: Code, name: str, owner: Any) -> bool:  # noqa: ANN401 - an owner
    """Whether the name is ever given a list, a dict, a text or None."""
    for node in code.owned(owner):
        if isinstance(node, ir.Assign) and any(isinstance(t, ir.Name) and t.id == name for t in node.targets):
            match node.value:
                case ir.Constant(value=None | str() | bytes()) | ir.DictDisplay() | ir.Lambda() | ir.FormattedString():
                    return True
                case ir.SequenceDisplay(kind="list" | "set") | ir.Comprehension():
                    return True
                case _:
                    pass
    return False


def _placed(code: Code, node: Any, owner: Owner, carried: tuple[str, ...], inside: list[Any]) -> _Loop | None:  # noqa: ANN401
    """The loop with its place; None where its block shares a line with something else."""
    start, header_end = code.span(node.at)
    first = code.span(node.body[0].at)[0]
    if code.text[code.line_start(first) : first].strip() or code.text[code.line_start(start) : start].strip():
        return None
    if any(comments(code, start, header_end)):
        return None
    statements = [inner for inner in inside if code.statement(inner.at).at == inner.at]
    end = max(code.span(statement.at)[1] for statement in statements)
    following = code.text[slice(*code.token_from(end))]
    if following in ("pass", ";", "else"):
        return None
    match = LINE_BREAK.search(code.text, end)
    line_end = len(code.text) if match is None else match.start()
    return _Loop(node, owner, carried, code.indentation(start), code.indentation(first), line_end)
