"""Which arrays hold only numbers that 32 bits hold exactly: they lose nothing where the code goes on in 64 bits."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import Arguments, ListCell, Object, Qualified, Static, Tuple, Value

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_LARGEST: Final = 2**31


def are_made(it: Interpreter, name: str, arguments: Arguments) -> bool:
    """Whether a library function makes an array of such numbers: of small ones, or of those that it is given."""
    if it.api.has(name, "makes-small-numbers"):
        return True
    return it.api.has(name, "makes-given-numbers") and all(_is_exact(it, value) for value in arguments.all())


def _is_exact(it: Interpreter, value: Value) -> bool:
    match value:
        case Static(value=int() as number):
            return -_LARGEST <= number < _LARGEST
        case Static(value=float() as number):
            return not math.isfinite(number) or _survives(number)
        case Static(value=str() | None) | Qualified():
            return True
        case Tuple(elements=elements):
            return all(_is_exact(it, element) for element in elements)
        case Object():
            cell = it.cell(value)
            held = cell.elements if isinstance(cell, ListCell) else None
            return held is not None and all(_is_exact(it, element) for element in held)
        case _:
            return False


def _survives(number: float) -> bool:
    """Whether a number is the same after a way through 32 bits."""
    try:
        return bool(struct.unpack("f", struct.pack("f", number))[0] == number)
    except OverflowError:
        return False
