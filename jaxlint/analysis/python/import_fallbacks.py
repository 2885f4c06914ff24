"""Code for machines without JAX, or for another backend: `except ImportError: import numpy as jnp`.

What is analysed is the program as it runs with JAX, so no name has the value that such a handler, or such a side of a
test, gives it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import Qualified
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_MISSING: Final = frozenset({"ImportError", "ModuleNotFoundError"})
_ANY: Final = frozenset({"Exception", "BaseException"})


def never_runs(it: Interpreter, body: ir.Block, caught: frozenset[str]) -> bool:
    """Whether nothing but a missing JAX raises what a handler catches; one that names nothing catches everything."""
    if caught and not caught <= _MISSING | _ANY:
        return False
    statements = list(_unguarded(body))
    if any(isinstance(statement, _OTHERWISE) for statement in statements):
        return False
    imports = [statement for statement in statements if isinstance(statement, ir.Import)]
    is_narrow = bool(caught) and caught <= _MISSING
    return _import_jax(it, imports) and (is_narrow or all(_is_harmless(it, statement) for statement in statements))


def with_jax(it: Interpreter, node: ir.If) -> bool | None:
    """The outcome of a test of a module by which it runs with JAX; None where it decides nothing of that.

    One side imports parts of JAX that all of its releases have; the other one imports nothing of it, and gives some
    of their names to something else: `def jit(function): return function`.
    """
    if it.frame.kind != "module" or not node.orelse:
        return None
    for side, other, outcome in ((node.body, node.orelse, True), (node.orelse, node.body, False)):
        if _is_replaced(it, side, other):
            return outcome
    return None


def _is_replaced(it: Interpreter, side: ir.Block, other: ir.Block) -> bool:
    """Whether one side of a test has of JAX what the other side makes without it."""
    imports = (statement for statement in _unguarded(side) if isinstance(statement, ir.Import))
    bound = (binding for statement in imports for binding in statement.bindings)
    ours = {name for name, qualified in bound if _is_always_there(it, qualified)}
    return bool(ours) and not ours.isdisjoint(_made(other)) and not _imports_any(it, other)


def _made(block: ir.Block) -> Iterator[str]:
    """The names that a block binds."""
    for statement in _unguarded(block):
        match statement:
            case ir.Import(bindings=bindings):
                yield from (name for name, _ in bindings)
            case ir.Assign(targets=targets):
                yield from (name for target in targets for name in walks.target_names(target))
    yield from (s.function.name for s in block if isinstance(s, ir.FunctionDefinition))


def _imports_any(it: Interpreter, block: ir.Block) -> bool:
    """Whether a block imports anything of JAX, somewhere in it."""
    imports = (statement for statement in walks.statements(block) if isinstance(statement, ir.Import))
    return any(it.api.is_of(name, "core") for each in imports for name in (*each.modules, *_bound(each)))


#: What may raise an ImportError itself, or import anything.
_OTHERWISE: Final = (ir.Raise, ir.Assert, ir.ImportStar)


def _unguarded(body: ir.Block) -> Iterator[ir.Stmt]:
    """The statements of a block, less those whose exceptions another handler inside of it catches."""
    for statement in body:
        guards = isinstance(statement, ir.Try) and any(_catches_all(handler) for handler in statement.handlers)
        if not guards and not isinstance(statement, ir.FunctionDefinition | ir.ClassDefinition):
            yield statement
            for block in blocks(statement):
                yield from _unguarded(block)


def _catches_all(handler: ir.Handler) -> bool:
    is_broad = handler.type is None or walks.dotted(handler.type) in _ANY
    return is_broad and not any(isinstance(statement, ir.Raise) for statement in walks.statements(handler.body))


def _import_jax(it: Interpreter, imports: list[ir.Import]) -> bool:
    """Whether imports load parts of JAX that all of its releases have, and beside them only Python's own modules."""
    loaded = [(module, statement) for statement in imports for module in statement.modules]
    ours = [statement for module, statement in loaded if module.partition(".")[0] not in sys.stdlib_module_names]
    return bool(ours) and all(_is_always_there(it, name) for each in ours for name in (*each.modules, *_bound(each)))


def _bound(statement: ir.Import) -> Iterator[str]:
    return (qualified for _, qualified in statement.bindings)


def _is_always_there(it: Interpreter, name: str) -> bool:
    api = it.api
    if not api.is_of(name, "core") or "experimental" in name.split("."):
        return False
    if api.lifetimes.is_told(name) or api.lifetimes.missing_until(name):
        return False
    is_package = "." not in name  # `jaxlib`, which comes with JAX
    return is_package or bool(api.exists(name)) or api.is_module(name) or api.library_class(name) is not None


def _is_harmless(it: Interpreter, statement: ir.Stmt) -> bool:
    """Whether a simple statement looks nothing up, and calls only functions of Python's own modules."""
    evaluated = list(walks.nodes(statement))
    if next(blocks(statement), None) is not None or any(isinstance(node, ir.Subscript) for node in evaluated):
        return False
    return all(_is_of_python(it, node.func) for node in evaluated if isinstance(node, ir.Call))


def _is_of_python(it: Interpreter, function: ir.Expr) -> bool:
    found = it.peek(walks.dotted(function).partition(".")[0])
    return isinstance(found, Qualified) and found.name.partition(".")[0] in sys.stdlib_module_names
