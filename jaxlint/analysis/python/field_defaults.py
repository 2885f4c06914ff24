"""What a class has by default, in objects that may have been made with something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.values import Arguments, InstanceCell, Static, Value
from jaxlint.analysis.source.stored_attributes import may_be_set

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_NUMBERS: Final = frozenset({"int", "float", "complex"})


def stays(it: Interpreter, cell: InstanceCell, name: str, default: Value, *, of_field: bool) -> bool:
    """Whether an object is taken to have a default, which is certain only if its making was seen.

    In an object that came from outside, a number, a function or None stands for any. Flags are taken at their
    defaults, which go together. What is no field is the class's own, unless some code sets it on objects.
    """
    if not cell.open:
        return True
    if of_field:
        return isinstance(default, Static) and default.value is not None and default.type not in _NUMBERS
    is_number = isinstance(default, Static) and default.type in _NUMBERS
    return not is_number or not may_be_set(it, [cell.cls], name)


def or_spread(default: Value | None, arguments: Arguments, given: Value) -> Value | None:
    """The default of a field, or what `**values` of unknown names may give in its place."""
    return join(default, given) if default is not None and arguments.extra else default
