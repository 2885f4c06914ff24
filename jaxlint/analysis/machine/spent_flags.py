"""Flags that let a loop do something once: `if first: ...` and then `first = False`, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks


def spent(body: ir.Block) -> frozenset[str]:
    """The names that a function tests in a loop and then sets so that the test comes out otherwise from then on."""
    set_in_loops = _set_in_loops(body)
    found = set(_switched(body, in_loop=False))
    return frozenset(name for name, state in found if set_in_loops.isdisjoint({(name, not state), (name, None)}))


def _switched(body: ir.Block, *, in_loop: bool) -> Iterator[tuple[str, bool]]:
    """The flags that a block of a loop asks for and then sets, each with what it is set to."""
    for number, statement in enumerate(body):
        is_loop = isinstance(statement, ir.For | ir.While)
        if in_loop and isinstance(statement, ir.If):
            set_ = set(_constants(chain(statement.body, body[number + 1 :])))
            yield from ((name, not state) for name, state in _asked(statement.test) if (name, not state) in set_)
        for block in blocks(statement):
            yield from _switched(block, in_loop=in_loop or is_loop)


def _set_in_loops(body: ir.Block) -> set[tuple[str, bool | None]]:
    """What loops set names to; None stands for what is no constant."""
    loops = [statement for statement in walks.statements(body) if isinstance(statement, ir.For | ir.While)]
    return {found for loop in loops for block in blocks(loop) for found in _stores(walks.statements(block))}


def _constants(block: Iterator[ir.Stmt]) -> Iterator[tuple[str, bool]]:
    return ((name, state) for name, state in _stores(block) if state is not None)


def _stores(statements: Iterator[ir.Stmt]) -> Iterator[tuple[str, bool | None]]:
    for statement in statements:
        if isinstance(statement, ir.Assign):
            for target, value in walks.assignments(statement):
                if isinstance(target, ir.Name):
                    yield target.id, bool(value.value) if isinstance(value, ir.Constant) else None


def _asked(test: ir.Expr) -> Iterator[tuple[str, bool]]:
    """The names that are true, or false, where a test holds."""
    match test:
        case ir.Name(id=name):
            yield name, True
        case ir.UnaryOperation(op="not", operand=ir.Name(id=name)):
            yield name, False
        case ir.BooleanOperation(op="and", operands=operands):
            for operand in operands:
                yield from _asked(operand)
        case _:
            pass
