"""Walks over the intermediate representation: its nodes are tuples, so one walk covers them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jaxlint.syntax import ir
from jaxlint.syntax.blocks import blocks


def nodes(node: Any) -> Iterator[Any]:
    """A node and all below it, outermost first; tuples that are no nodes are walked through, and not among them."""
    if not isinstance(node, tuple):
        yield node
        return
    stack: list[Any] = [node]
    pop, push = stack.pop, stack.append  # half of all walking is here, so that a comprehension would be felt
    while stack:
        part = pop()
        kind = part.__class__
        if kind is not tuple:
            yield part
        if kind not in _LEAVES:
            for child in part[::-1]:
                if isinstance(child, tuple):
                    push(child)


#: Half of all nodes, which have none below them.
_LEAVES: Final = frozenset({ir.Name, ir.Constant})


def statements(body: ir.Block) -> Iterator[ir.Stmt]:
    """The statements of a block and of all below it, outermost first, those of functions and classes included.

    What looks for statements alone finds them here without a walk through their expressions, lambdas aside.
    """
    for statement in body:
        yield statement
        match statement:
            case ir.FunctionDefinition(function=definition) | ir.ClassDefinition(cls=definition):
                yield from statements(definition.body)
            case _:
                for block in blocks(statement):
                    yield from statements(block)


def spelling(node: Any) -> str:
    """A name as it is, an attribute as `.name`; empty where an expression is neither."""
    match node:
        case ir.Name():
            return node.id
        case ir.Attribute():
            return f".{node.attr}"
        case _:
            return ""


def dotted(node: Any) -> str:
    """A name, or attributes of one, as written: `self.cache`; empty where an expression is neither."""
    parts: list[str] = []
    while isinstance(node, ir.Attribute):
        parts.append(node.attr)
        node = node.base
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ir.Name) else ""


def ordinals(node: Any) -> Iterator[int]:
    """The ordinals of a node and all below it."""
    for part in nodes(node):
        at = getattr(part, "at", None)
        if at is not None:
            yield at


def names(node: Any) -> frozenset[str]:
    """The variables that code mentions, read or bound."""
    return frozenset(part.id for part in nodes(node) if isinstance(part, ir.Name))


def mentions(node: Any, wanted: frozenset[str]) -> Iterator[ir.Name]:
    """Where code mentions names of the scope that it belongs to: not in functions that bind these names themselves."""
    stack = [(node, wanted)]
    while stack:
        part, left = stack.pop()
        if isinstance(part, ir.Name) and part.id in left:
            yield part
        if isinstance(part, ir.Function):
            stack.append((part.body, left - part.scope.bound))
            stack += ((outside, left) for outside in (part.decorators, part.parameters))
        elif isinstance(part, tuple):
            stack += ((child, left) for child in part if isinstance(child, tuple))


def names_after(body: ir.Block, at: int) -> frozenset[str]:
    """Names that stand anywhere behind an ordinal."""
    return frozenset(node.id for node in nodes(body) if isinstance(node, ir.Name) and node.at > at)


def expression_at(call: ir.Expr, at: int) -> ir.Expr | None:
    """The argument of a call that stands at an ordinal, or the object whose method is called; None where none does."""
    if not isinstance(call, ir.Call):
        return None
    if call.at == at:
        return call.func.base if isinstance(call.func, ir.Attribute) else None
    given = (*call.args, *(value for _, value in call.keywords))
    return next((value for value in given if value.at == at and not isinstance(value, ir.Starred)), None)


def assignment_targets(node: Any) -> Iterator[ir.Expr]:
    """What is assigned to in a node and below it, nested functions and classes aside."""
    kind = node.__class__
    if kind is ir.Function or kind is ir.Class:
        return
    if kind is ir.Assign:
        yield from node.targets
    elif kind is ir.AugmentedAssign or kind is ir.AnnotatedAssign or kind is ir.For or kind is ir.NamedExpression:
        yield node.target
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from assignment_targets(child)


def assignments(node: Any) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """What is assigned to in a node and below it, and what it gets: of `a, b = x, y`, each element its own."""
    for part in nodes(node):
        if part.__class__ is ir.Assign or part.__class__ is ir.AnnotatedAssign:
            yield from assigned(part)


def assigned(statement: ir.Stmt) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """The same of one statement."""
    match statement:
        case ir.Assign(targets=(ir.SequenceDisplay(elements=targets),), value=ir.SequenceDisplay(elements=values)):
            yield from zip(targets, values, strict=False)
        case ir.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ir.AnnotatedAssign(target=target, value=value) if value is not None:
            yield target, value
        case _:
            pass


def target_names(target: ir.Expr) -> Iterator[str]:
    """The names that an assignment to `target` binds."""
    match target:
        case ir.Name():
            yield target.id
        case ir.SequenceDisplay():
            for part in target.elements:
                yield from target_names(part)
        case ir.Starred():
            yield from target_names(target.value)
