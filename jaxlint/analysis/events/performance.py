"""Events of correct code that costs more than it needs to."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Cause, Place
from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class StaticOperation(Event):
    """Compiled code computes with static sizes through a JAX function, so the result is traced.

    `is_whole`: no argument is known to be a fraction. `is_count`: it counts with whole numbers, or rounds.
    `is_needed`: a size, a bound, a test or a conversion needs the number.
    """

    operand: Operand
    function: str
    is_whole: bool
    is_count: bool
    is_needed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class GrownArray(Event):
    """In a loop, an operation makes a longer array from its result in the previous iteration."""

    operand: Operand
    loop: Place


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLoop(Event):
    """A loop iterates over the rows of an array. `operations` counts the operations in one iteration."""

    iterable: Operand
    operations: int


@dataclass(frozen=True, slots=True, eq=False)
class UnrolledLoop(Event):
    """A loop in compiled code is unrolled. `count` is the number of iterations; None if data determines it.

    `operations` counts those of one iteration, with all iterations of the loops inside. Short loops around it repeat
    all this: `repeats`.
    """

    iterable: Operand
    count: int | None
    operations: int
    repeats: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class HostSync(Event):
    """Each iteration of a loop waits for a number that it only stores or prints. `work` must finish first."""

    operand: Operand
    work: Operand
    loop: Place

    @property
    def cause(self) -> Cause:
        """The loop, which waits once for all numbers of a pass."""
        return Cause(self.loop)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedTransfer(Event):
    """A NumPy array from before a loop is copied to the device in each iteration, by a call of `function`."""

    operand: Operand
    function: str
    loop: Place


@dataclass(frozen=True, slots=True, eq=False)
class EagerDerivative(Event):
    """A loop computes a derivative outside compiled code. `operations` counts those seen in the function.

    `is_short`: all iterations together take about a second, whatever they compute. `may_need_host`: something in the
    function, or out of sight, needs numbers that a compiled function does not have.
    """

    transform: str
    operations: int
    loop: Place
    is_short: bool
    may_need_host: bool
