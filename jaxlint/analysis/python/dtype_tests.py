"""What tests of dtypes tell: no array of JAX has one of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.shapes import JAX_DTYPE
from jaxlint.analysis.domain.values import Qualified, Static, Value, atoms_of

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def are_other(it: Interpreter, left: Value, right: Value) -> bool:
    """Whether one is the dtype of an array of JAX, and the other one that such an array never has."""
    pairs = ((left, right), (right, left))
    return any(_is_of_jax(one) and is_never_of_jax(it, other) for one, other in pairs)


def _is_of_jax(value: Value) -> bool:
    return all(isinstance(atom, Static) and atom.type == JAX_DTYPE for atom in atoms_of(value))


def is_never_of_jax(it: Interpreter, value: Value) -> bool:
    """Whether there are no arrays of JAX of a dtype, or of the one that a class or a text stands for."""
    if isinstance(value, Static):
        return value.value in _OF_OBJECTS
    return isinstance(value, Qualified) and it.api.has(value.name, "never-of-jax")


#: Dtypes of objects as texts.
_OF_OBJECTS: Final = ("O", "|O", "object", "object_")
