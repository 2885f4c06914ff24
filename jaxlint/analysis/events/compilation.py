"""Events of static and donated arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.findings import Cause, Place
from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.domain.state import Donation
    from jaxlint.analysis.domain.values import Array, Dim


@dataclass(frozen=True, slots=True, eq=False)
class JitBinding(Event):
    """A function is given to a transform that takes static arguments."""

    application: Application
    target_name: str
    mismatches: tuple[tuple[str, int | str], ...]
    self_fault: tuple[str, str] | None
    is_seen: bool = True  # that the attribute of `self` is assigned again, not only that it could be


@dataclass(frozen=True, slots=True, eq=False)
class StaticArgument(Event):
    """A value reaches a static parameter: at a call of the jitted function, or as the default (`is_default`)."""

    operand: Operand
    parameter: str
    application: Application
    is_default: bool
    held: Callable[[int], Any]  # the cell of an object

    @property
    def application_place(self) -> Place:
        """Where the parameter was made static."""
        return Place(self.application.frame.path, self.application.at)


class Variation(NamedTuple):
    """How a value changes, as a clause about it, and the loop at whose passes it does."""

    how: str
    loop: Place


@dataclass(frozen=True, slots=True, eq=False)
class VaryingStatic(Event):
    """A value reaches a static parameter of a compiled function in a loop, and is another one at each pass."""

    operand: Operand
    parameter: str
    application: Application
    variation: Variation


class ShapeVariation(NamedTuple):
    """How the shape of a value changes, as a clause about it, the loop, and the most programs that this may make.

    `is_sure` is set where the lengths are known, or do not matter.
    """

    how: str
    loop: Place
    programs: int | None
    is_sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class VaryingShape(Event):
    """A compiled function is called in a loop, with an argument that has another shape at each pass."""

    operand: Operand
    application: Application
    variation: ShapeVariation


@dataclass(frozen=True, slots=True, eq=False)
class JitInLoop(Event):
    """A compiled function is made of something new, and called, at each pass of a loop."""

    application: Application
    what: str
    loop: Place


@dataclass(frozen=True, slots=True, eq=False)
class JitInFunction(Event):
    """A function that is called repeatedly compiles something new at each call; `again` is such a call.

    `decorators` are the names in the decorators of the functions that these calls go through.
    """

    application: Application
    what: str
    again: Place
    in_loop: bool
    decorators: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class ClosureConstant(Event):
    """Code that `program` traces computes with a large array from outside, of this shape and this many bytes."""

    shape: tuple[Dim, ...]
    size: int
    program: Trace


@dataclass(frozen=True, slots=True, eq=False)
class CompiledMethod(Event):
    """A method of an object is compiled for one call, in this `loop` or in a method that others call."""

    application: Application
    name: str
    loop: Place | None


@dataclass(frozen=True, slots=True, eq=False)
class MixedCallForm(Event):
    """A compiled function is called with parameters by name (`by_name`) or by position that an earlier call did not."""

    application: Application
    names: tuple[str, ...]
    by_name: bool
    earlier: Place


@dataclass(frozen=True, slots=True, eq=False)
class RetypedArgument(Event):
    """A leaf of an argument is of another type than at an earlier call of a compiled function, and all else is alike.

    `part` leads to the leaf, `types` are those of the earlier call and of this one. `loop` is set where both are one
    call, in another pass, and `start` where the name that is given gets its value in front of that loop. `programs` is
    how many JAX compiles for the calls that are known.
    """

    application: Application
    operand: Operand
    part: str
    types: tuple[str, str]
    earlier: Place
    loop: Place | None
    programs: int
    start: Place | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DonatedUse(Event):
    """The contents of an array are needed after a call that its buffer was donated to, or by that very call."""

    operand: Operand
    donation: Donation
    sure: bool
    is_same_call: bool
    read_at: Place | None = None  # in a function that is called here, and does not know of the donation
    is_part: bool = False  # of what the operand holds

    @property
    def cause(self) -> Cause:
        """The call that took the buffer."""
        return Cause(self.donated_place)

    @property
    def donated_place(self) -> Place:
        """The call that took the buffer."""
        step = self.donation.chain[-1]
        return Place(step.path, step.at)

    @property
    def asked_place(self) -> Place:
        """Where the called function was made to donate."""
        return Place(self.donation.path, self.donation.asked_at)


@dataclass(frozen=True, slots=True, eq=False)
class UnusedDonation(Event):
    """A donated `array` has a size that no result has: JAX drops the donation.

    `is_crowded`: a result has it, which another donated array takes.
    """

    operand: Operand
    application: Application
    array: Array
    asked_place: Place
    is_crowded: bool
