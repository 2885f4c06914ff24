"""Where paths end since an expression surely raises: nothing behind it is reported, and this says why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import OfFailure
from jaxlint.analysis.domain.values import Level, Reason, Unknown, Value
from jaxlint.analysis.machine.tables import Table
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.events.event import Operand
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class EndedPaths(Table):
    """The expressions at which paths ended, by path and ordinal, and what surely raises there."""

    by_place: dict[tuple[str, int], str] = field(default_factory=dict)


def end(it: Interpreter, at: int, what: str) -> None:
    """The path ends in the statement at hand: the expression at this node surely raises."""
    it.frame.failed = True
    known = it.tables[EndedPaths].by_place
    if (it.frame.path, at) not in known:
        known[it.frame.path, at] = what
        it.statistics.ended[what] += 1


def end_if_caught(it: Interpreter, operand: Operand) -> None:
    """Something that surely has no value is asked for it: the path ends here where a handler goes on behind it.

    Where none does, what follows is looked at as if the operation worked: it may have findings of its own.
    """
    if it.frame.is_caught and operand.confidence_of(Level.MAPPED) is Confidence.CERTAIN:
        end(it, operand.at, "an error of tracing that a handler catches")


def failure(it: Interpreter, what: str, at: int) -> Unknown:
    """What a call that surely raises gives: nothing."""
    return Unknown(OfFailure(it.fresh()), Reason(what, it.frame.path, at))


def is_failure(value: Value) -> bool:
    """Whether this is what a call gives that surely raises."""
    return value.__class__ is Unknown and value.ident.__class__ is OfFailure
