"""Names of generic types and of unions, such as `Tree = Union[Array, dict[str, Array]]`: what they were made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import UNKNOWN, Atom, ClassValue, Qualified, Static, Unknown, Value, is_none
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter

UNIONS: Final = frozenset({"typing.Union", "typing.Optional"})
#: Generic wrappers that say nothing about the value beyond their first argument.
TRANSPARENT: Final = frozenset(
    {"typing.Annotated", "typing.Final", "typing.ClassVar", "dataclasses.InitVar", "typing.Required"}
)


def generic(it: Interpreter, base: Qualified, node: ir.Subscript) -> Qualified:
    """`Union[Array, None]`, `PyTree[Array]`: the class, with what it is made of; an alias keeps what it has."""
    if base.parts or it.frame.function is not None or it.api.annotation(base.name) is None:
        return base
    return Qualified(base.name, tuple(UNKNOWN if isinstance(part, ir.Slice) else it.eval(part) for part in node.index))


def united(it: Interpreter, left: Atom, right: Atom) -> Qualified | None:
    """`Array | None` where it is no annotation; None for operands that are no classes."""
    sides = (left, right)
    if any(_is_class(it, side) for side in sides) and all(_may_be_class(side) for side in sides):
        return Qualified("typing.Union", sides)
    return None


def _is_class(it: Interpreter, atom: Atom) -> bool:
    return isinstance(atom, Qualified) and (bool(atom.parts) or it.api.annotation(atom.name) is not None)


def _may_be_class(atom: Atom) -> bool:
    return isinstance(atom, Qualified | ClassValue | Unknown) or is_none(atom)


def alternatives(meaning: Value) -> Iterator[Value]:
    """The classes that a type is one of, other than None; the type itself where it is no union."""
    if isinstance(meaning, Qualified) and meaning.parts and meaning.name in UNIONS | TRANSPARENT:
        for part in meaning.parts[: None if meaning.name in UNIONS else 1]:
            yield from alternatives(part)
    elif not (isinstance(meaning, Static) and is_none(meaning)):
        yield meaning
