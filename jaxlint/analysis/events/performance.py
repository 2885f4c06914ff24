"""Events of work that is right and costs more than it needs to: loops of Python around JAX, and what they repeat."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Cause, Place
from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class StaticOperation(Event):
    """A function of JAX counts with sizes that Python knows, in compiled code: what it gives is traced."""

    operand: Operand
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class GrownArray(Event):
    """An operation in a loop makes a longer array of the one that it gave in the pass before."""

    operand: Operand
    loop: Place


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLoop(Event):
    """A loop goes over the rows of an array and computes with each; `operations` are those of one pass."""

    iterable: Operand
    operations: int


@dataclass(frozen=True, slots=True, eq=False)
class UnrolledLoop(Event):
    """A loop in compiled code: each pass is traced by itself. `count` is None where it is the length of data."""

    iterable: Operand
    count: int | None
    operations: int


@dataclass(frozen=True, slots=True, eq=False)
class HostSync(Event):
    """A loop waits at each pass for a number that it only keeps or prints; `work` is what has to be done first."""

    operand: Operand
    work: Operand
    loop: Place

    @property
    def cause(self) -> Cause:
        """The loop, which waits once for all numbers of a pass."""
        return Cause(self.loop)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedTransfer(Event):
    """A NumPy array from before a loop is given to JAX at each pass, by a call of `function`."""

    operand: Operand
    function: str
    loop: Place


@dataclass(frozen=True, slots=True, eq=False)
class EagerDerivative(Event):
    """A loop computes a derivative outside compiled code; `operations` are those of the function that were seen."""

    transform: str
    operations: int
    loop: Place
