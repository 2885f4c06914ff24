"""Whether a caller misses a change that traced code makes to an argument: JAX made a copy, and the caller reads on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import Qualified
from jaxlint.analysis.source.ownership import entry_frame, root_name, statement_of
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Functions of Python that give a number for a container.
_COUNTING: Final = frozenset({"sum", "len", "min", "max", "any", "all"})
#: Methods that add to a container.
_ADDING: Final = frozenset({"append", "extend", "add", "insert", "appendleft"})


def misses(it: Interpreter, at: int) -> bool:
    """Whether the change at `at` adds to what was there, and the caller gives the same object again or reads it.

    What is only scaled or put in its place may be for this call alone: `batch["x"] = batch["x"] / 255`.
    """
    frame, trace = it.frame, it.frame.trace
    if frame.function is None or trace is None or not _adds(frame, statement_of(frame.function.body, at)):
        return False
    entry = entry_frame(frame, trace)
    caller = None if entry is None else entry.caller
    name = None if entry is None else _name_in_caller(it, frame, at, entry)
    return caller is not None and entry is not None and name is not None and _goes_on(caller, entry.call_at, name)


def _adds(frame: Frame, statement: Any) -> bool:
    """Whether a statement makes something more of what it changes: a sum, a longer list."""
    match statement:
        case ir.AugmentedAssign(op="+" | "-"):
            return True
        case ir.Assign(targets=(target,), value=value):
            text = frame.module.text
            return any(text(term.at) == text(target.at) for term in _terms(value))
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(attr=method))):
            return method in _ADDING
        case _:
            return False


def _terms(value: ir.Expr) -> Iterator[Any]:
    """The terms of a sum, and the factors in them; nothing of what is no sum."""
    parts: tuple[ir.Expr, ...] = ()
    match value:
        case ir.BinaryOperation(op="+", left=left, right=right):
            parts = (left, right)
        case ir.BinaryChain(first=first, rest=rest) if all(op in "+-" for op, _ in rest):
            parts = (first, *(part for _, part in rest))
    for part in parts:
        yield part
        if isinstance(part, ir.BinaryOperation) and part.op == "*":
            yield from (part.left, part.right)
        yield from _terms(part)


def _name_in_caller(it: Interpreter, frame: Frame, at: int, entry: Frame) -> str | None:
    """The caller's name for the argument that is changed."""
    function, caller = entry.function, entry.caller
    if frame is not entry or function is None or caller is None:
        return None
    statement = statement_of(function.body, at)
    handed_on = set(_handed_on(it, function.body))
    changed = {root_name(node) for node in walks.nodes(statement) if getattr(node, "at", None) == at} - {
        None,
        *handed_on,
    }
    nodes = walks.nodes(caller.body)
    call = next((node for node in nodes if isinstance(node, ir.Call) and node.at == entry.call_at), None)
    if call is None:
        return None
    names = [parameter.name for parameter in function.parameters]
    given = dict(zip(names[entry.cls is not None and isinstance(call.func, ir.Attribute) :], call.args))
    given |= {name: value for name, value in call.keywords if name is not None}
    argument = next((value for name, value in given.items() if name in changed), None)
    return argument.id if isinstance(argument, ir.Name) else None


def _handed_on(it: Interpreter, body: ir.Block) -> Iterator[str]:
    """The names that stand in what a function returns, for more than an item, an attribute or a number of theirs."""
    for statement in walks.nodes(body):
        if isinstance(statement, ir.Return):
            parts = list(walks.nodes(statement.value))
            bases = [part.base for part in parts if isinstance(part, ir.Attribute | ir.Subscript)]
            calls = [part for part in parts if isinstance(part, ir.Call) and _counts(it, part.func)]
            counted = [argument for call in calls for argument in call.args]
            yield from (p.id for p in parts if isinstance(p, ir.Name) and p not in bases and p not in counted)


def _counts(it: Interpreter, func: ir.Expr) -> bool:
    """Whether a function makes something of its own of a container: a sum, a length, an array."""
    root, _, rest = (walks.dotted(func) or "").partition(".")
    found = it.peek(root) if root else None
    if found is None:
        return not rest and root in _COUNTING
    row = it.api.function(f"{found.name}.{rest}" if rest else found.name) if isinstance(found, Qualified) else None
    return row is not None and row.returns.head == "array"


def _goes_on(caller: Frame, call_at: int, name: str) -> bool:
    """Whether a name stands for the same object when the call is made again, or is read behind it."""
    statement = statement_of(caller.body, call_at)
    if name in _bound((statement,)):
        return False  # `state = step(state)`: whatever comes back
    bound = [set(_bound_by(this)) for this in caller.passes]
    if bound and not any(name in names for names in bound):
        return True
    return name in walks.names_after(caller.body, max(walks.ordinals(statement), default=call_at))


def _bound_by(this: Pass) -> Iterator[str]:
    """The names that another pass of a loop binds anew."""
    if this.target is not None:
        yield from walks.target_names(this.target)
    yield from _bound(this.body)


def _bound(body: ir.Block) -> Iterator[str]:
    """The names that statements assign."""
    for node in body:
        targets = getattr(node, "targets", ()) or tuple(filter(None, (getattr(node, "target", None),)))
        for target in targets:
            yield from walks.target_names(target)
        for block in blocks(node):
            yield from _bound(block)
