"""The names that statements bind, for those who write down what a name holds."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.syntax import ir


def bound_names(statement: ir.Stmt) -> Iterator[tuple[int, str]]:
    """The names that a statement binds without evaluating them, and where they stand."""
    match statement:
        case ir.Assign(targets=targets):
            yield from (found for target in targets for found in _names(target))
        case ir.AnnotatedAssign(target=target) | ir.AugmentedAssign(target=target) | ir.For(target=target):
            yield from _names(target)
        case ir.With(items=items):
            yield from (found for item in items if item.target is not None for found in _names(item.target))
        case ir.Import(bindings=bindings):
            yield from ((statement.at, local) for local, _ in bindings)
        case ir.FunctionDefinition(function=function):
            yield function.at, function.name
        case ir.ClassDefinition(cls=cls):
            yield cls.at, cls.name
        case _:
            pass


def _names(target: ir.Expr) -> Iterator[tuple[int, str]]:
    match target:
        case ir.Name():
            yield target.at, target.id
        case ir.SequenceDisplay():
            yield from (found for element in target.elements for found in _names(element))
        case ir.Starred():
            yield from _names(target.value)
        case _:
            pass
