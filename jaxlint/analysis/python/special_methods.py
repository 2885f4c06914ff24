"""Methods that Python calls by itself, `__len__` for `len()`, where a class of the project has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Arguments, ClassValue, InstanceCell, Member, Object, Value

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


def defines(cls: ClassValue, name: str) -> bool:
    """Whether a class has a method of this name, or inherits one from a class of the project."""
    if name in cls.namespace:
        return True
    return any(isinstance(base, ClassValue) and base is not cls and defines(base, name) for base in cls.bases)


def call(it: Interpreter, value: Value, names: tuple[str, ...], node: ir.Expr, *given: Value) -> Value | None:
    """What the first of these methods that the object's class defines gives here; None where it defines none."""
    cell = it.cell(value) if value.__class__ is Object else None
    if not isinstance(cell, InstanceCell):
        return None
    for name in names:
        if defines(cell.cls, name):
            method = it.attribute(value, name, node.at)
            return it.call(method, Arguments(list(given), positional_at=[-1] * len(given)), node)
    return None


def container(it: Interpreter, value: Value, at: int) -> Value:
    """The container inside of an object whose class extends one, such as `dict`; else the value itself."""
    cell = it.cell(value) if value.__class__ is Object else None
    if not isinstance(cell, InstanceCell) or not cell.cls.bases:
        return value
    walk = it.attribute(value, "__iter__", at)
    return walk.receiver if isinstance(walk, Member) else value
