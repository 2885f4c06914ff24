"""Where paths end since an expression surely raises: nothing behind it is reported, and this says why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import OfFailure
from jaxlint.analysis.domain.values import Reason, Unknown, Value
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
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


def failure(it: Interpreter, what: str, at: int) -> Unknown:
    """What a call that surely raises gives: nothing."""
    return Unknown(OfFailure(it.fresh()), Reason(what, it.frame.path, at))


def is_failure(value: Value) -> bool:
    """Whether this is what a call gives that surely raises."""
    return value.__class__ is Unknown and value.ident.__class__ is OfFailure
