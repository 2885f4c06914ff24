"""Names of a module that hold one thing and later another: what a function reads there depends on when it is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.assignments import stores_in
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def reads_rebound(it: Interpreter, function: ir.Function, module: ir.Block) -> bool:
    """Whether a function reads a name that the code of its module binds more than once."""
    return not _outer_names(it, function).isdisjoint(_rebound(it, module))


@memoised
def code_of_time(_: Interpreter, module: ir.Block) -> frozenset[str]:
    """Names that the code of a module binds more than once, one of these times to a module, a function or a class."""
    code = list(_code_in(module))
    counts = Counter([*code, *(name for name, _ in stores_in(module))])
    return frozenset(name for name in code if counts[name] > 1)


def _code_in(module: ir.Block) -> Iterator[str]:
    yield from _defined(module)
    for block in (inner for statement in module for inner in blocks(statement)):
        yield from _code_in(block)


@memoised
def _outer_names(_: Interpreter, function: ir.Function) -> frozenset[str]:
    """The names in a function that it does not bind itself."""
    named = (node.id for node in walks.nodes(function.body) if isinstance(node, ir.Name))
    return frozenset(named) - function.scope.bound


@memoised
def _rebound(_: Interpreter, module: ir.Block) -> frozenset[str]:
    counts = Counter([*(name for name, _ in stores_in(module)), *_defined(module)])
    return frozenset(name for name, count in counts.items() if count > 1)


def _defined(module: ir.Block) -> Iterator[str]:
    """The functions, classes and imports among the statements of a module."""
    for statement in module:
        match statement:
            case ir.FunctionDefinition(function=found) | ir.ClassDefinition(cls=found):
                yield found.name
            case ir.Import(bindings=bindings):
                yield from (local for local, _ in bindings)
            case _:
                pass
