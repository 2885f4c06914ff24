"""What the source of a loop shows of an operation in it: whether each pass does it, and what comes of its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter

#: Assignments that a value is followed through.
MAX_NAMES = 3


@memoised
def always_runs(it: Interpreter, body: ir.Block, at: int) -> bool:
    """Whether whoever runs this block to its end, or until it is left for good, comes to a node."""
    for statement in body:
        inner = [block for block in blocks(statement) if at in walks.ordinals(block)]
        if inner:
            return isinstance(statement, ir.With) and always_runs(it, inner[0], at)
        if at in walks.ordinals(statement):
            return True
        if any(map(_skips, walks.statements(tuple(s for block in blocks(statement) for s in block)))):
            return False
    return False


def _skips(statement: ir.Stmt) -> bool:
    return isinstance(statement, ir.Return) or (isinstance(statement, ir.Jump) and statement.kind == "continue")


@memoised
def is_only_kept(it: Interpreter, body: ir.Block, at: int) -> bool:
    """Whether a loop only puts the value at a node away, adds it to a total, or prints it."""
    return _is_kept(it, body, at, 0)


def _is_kept(it: Interpreter, body: ir.Block, at: int, depth: int) -> bool:
    match _statement(body, at):
        case ir.AugmentedAssign() | ir.Assign(targets=(ir.Subscript(),)):
            return True
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(attr=attr))):
            return it.api.has(f"*.{attr}", "collects")
        case ir.ExpressionStatement(value=ir.Call(func=ir.Name(id="print"))):
            return True
        case ir.Assign(targets=(ir.Name(id=name),)) as statement if depth < MAX_NAMES:
            return all(_is_kept(it, body, read, depth + 1) for read in _reads(body, name, statement))
        case _:
            return False


@memoised
def decides(_: Interpreter, body: ir.Block, at: int, array: int) -> bool:
    """Whether each pass of a loop tests the array that a number at a node is of, or what the number is added to."""
    given = next((part for part in walks.nodes(body) if getattr(part, "at", -1) == array), None)
    names = frozenset((*_paths(given), *_involved(body, at, 0)))
    tests = (part.test for part in body if isinstance(part, ir.If | ir.While))
    return any(f"{read}.".startswith(f"{name}.") for test in tests for read in _paths(test) for name in names)


def _involved(body: ir.Block, at: int, depth: int) -> Iterator[str]:
    """The variables that a statement keeps a number in."""
    statement = _statement(body, at)
    match statement:
        case ir.AugmentedAssign(target=target) | ir.Assign(targets=(ir.Subscript(base=target),)):
            yield from _paths(target)
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(base=base))):
            yield from _paths(base)
        case ir.Assign(targets=(ir.Name(id=name),)) if depth < MAX_NAMES:
            yield name
            for read in _reads(body, name, statement):
                yield from _involved(body, read, depth + 1)
        case _:
            pass


def _paths(node: Any) -> Iterator[str]:
    """The variables in an expression, and what it reads of them: `meter.average`."""
    if isinstance(node, ir.Name | ir.Attribute) and (path := walks.dotted(node)):
        yield path
        return
    for part in node if isinstance(node, tuple) else ():
        yield from _paths(part)


def _reads(body: ir.Block, name: str, without: ir.Stmt) -> Iterator[int]:
    """Where a block reads a name, but for one statement."""
    own = set(walks.ordinals(without))
    own |= {at for target in walks.assignment_targets(body) for at in walks.ordinals(target)}
    for part in walks.nodes(body):
        if isinstance(part, ir.Name) and part.id == name and part.at not in own:
            yield part.at


def _statement(body: ir.Block, at: int) -> Any:
    """The innermost statement of a block that holds a node."""
    for statement in body:
        if at in walks.ordinals(statement):
            inner = next((block for block in blocks(statement) if at in walks.ordinals(block)), None)
            return statement if inner is None else _statement(inner, at)
    return None


@memoised
def is_left_alone(_: Interpreter, body: ir.Block, name: str, call: ir.Call) -> bool:
    """Whether a loop has an array for one call alone: nothing else in it may bind the name, or change the array."""
    if any(name in walks.target_names(target) for target in walks.assignment_targets(body)):
        return False
    seen = {part.at for part in call.args if isinstance(part, ir.Name)}
    for part in walks.nodes(body):
        match part:
            case ir.Attribute(base=ir.Name(id=base, at=at), attr="shape" | "ndim" | "size" | "dtype") if base == name:
                seen.add(at)
            case ir.Name(id=found, at=at) if found == name and at not in seen:
                return False
            case _:
                pass
    return True
