"""Numbers that a counter gives out while tracing: a name may be made of one, an array keeps it as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import GivenOut
from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.values import Static, Value, ident_of
from jaxlint.analysis.source import compensated_effects
from jaxlint.analysis.source.ownership import entry_frame

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def counted(it: Interpreter, value: Value, name: str, at: int) -> Value:
    """What `name += 1` gives: a number of its own where it is given out."""
    trace = it.frame.trace
    if not isinstance(value, Static) or trace is None or entry_frame(it.frame, trace) is it.frame:
        return value
    return (
        Static(type=value.type, ident=GivenOut(at, it.fresh()))
        if compensated_effects.is_given_out(it.frame, name)
        else value
    )


def either(before: Value, after: Value) -> Value:
    """What a name holds that may have been assigned to: of a counter, a number that it gave."""
    both, number = join(before, after), ident_of(after)
    return replace(both, ident=number) if isinstance(number, GivenOut) and isinstance(both, Static) else both


def made_of(it: Interpreter, operands: Sequence[Value], result: Value) -> Value:
    """A number that is made of one that a counter gave stands for it."""
    if not it.facts.numbers or not isinstance(result, Static) or result.known or result.type not in ("int", "float"):
        return result
    idents = (operand.ident for operand in operands if isinstance(operand, Static))
    number = next((ident for ident in idents if ident in it.facts.numbers), None)
    return result if number is None else replace(result, ident=number)
