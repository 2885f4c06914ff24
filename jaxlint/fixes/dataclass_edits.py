"""Dataclasses as fixes need them: the decorator, the types of the fields, and their registration as a pytree."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.fixes.statement_edits import start_of
from jaxlint.syntax import ir

_DATACLASS: Final = "dataclasses.dataclass"
_ARRAYS: Final = frozenset({"jax.Array", "jax.numpy.ndarray", "jax.typing.ArrayLike"})


def dataclass_decorator(code: Code, cls: ir.Class) -> Any:  # noqa: ANN401 - an expression
    """The decorator that makes the class a dataclass."""
    for decorator in cls.decorators:
        if qualified_name(code, decorator.func if isinstance(decorator, ir.Call) else decorator) == _DATACLASS:
            return decorator
    return None


def field_types(code: Code, cls: ir.Class) -> list[str]:
    """What the annotations of the fields name; "" for others."""
    found = []
    for statement in cls.body:
        if isinstance(statement, ir.AnnotatedAssign):
            base: Any = statement.annotation
            base = base.base if isinstance(base, ir.Subscript) else base
            found.append(qualified_name(code, base) or (base.id if isinstance(base, ir.Name) else ""))
    return found


def has_leaves_alone(code: Code, cls: ir.Class) -> bool:
    """Whether all fields are arrays or floats, and no base class adds others."""
    fields = field_types(code, cls)
    return bool(fields) and set(fields) <= {"float", *_ARRAYS} and not cls.bases


def registered(code: Code, cls: ir.Class) -> list[Change] | None:
    """The changes that register a dataclass as a pytree."""
    named = name_of(code, cls.at, "jax.tree_util.register_dataclass")
    if named is None:
        return None
    start = start_of(code, code.node(cls.at))
    line = f"@{named.text}{code.newline}{code.indentation(start)}"
    return [Change(start, start, line), *named.changes]
