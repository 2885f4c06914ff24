"""Events of static and donated arguments, and of repeated compilation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from jaxlint.analysis.domain.findings import Cause, Place
from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.domain.state import Donation
    from jaxlint.analysis.domain.values import Array, Dim


@dataclass(frozen=True, slots=True, eq=False)
class JitBinding(Event):
    """A function is passed to a transform that takes static arguments."""

    application: Application
    target_name: str
    mismatches: tuple[tuple[str, int | str], ...]
    self_fault: tuple[str, str] | None
    is_self_hashable: bool = True
    is_seen: bool = True  # that the attribute of `self` is assigned again, not only that it could be


@dataclass(frozen=True, slots=True, eq=False)
class StaticArgument(Event):
    """A value reaches a static parameter, at a call of the jitted function or as the default (`is_default`)."""

    raises: ClassVar[bool] = True

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
    """How a value changes, as a clause about it, and the loop in whose iterations it changes."""

    how: str
    loop: Place


@dataclass(frozen=True, slots=True, eq=False)
class VaryingStatic(Event):
    """In a loop, a static parameter of a compiled function receives a new value in each iteration.

    `purpose` states why this may be intended. `is_traceable` unless JAX is known to refuse it as an ordinary argument.
    """

    operand: Operand
    parameter: str
    application: Application
    variation: Variation
    is_traceable: bool
    purpose: str = ""


class ShapeVariation(NamedTuple):
    """How the shape of a value changes, as a clause about it, in which loop, and for how many programs at most.

    `is_sure` is set if the lengths are known or do not matter.
    """

    how: str
    loop: Place
    programs: int | None
    is_sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class VaryingShape(Event):
    """In a loop, an argument of a compiled function has a new shape in each iteration."""

    operand: Operand
    application: Application
    variation: ShapeVariation


@dataclass(frozen=True, slots=True, eq=False)
class JitInLoop(Event):
    """In each iteration of a loop, a new function is compiled and called."""

    application: Application
    what: str
    loop: Place
    is_seldom: bool  # in a test, or in a loop of a few passes, or in one that waits for a person


@dataclass(frozen=True, slots=True, eq=False)
class JitInFunction(Event):
    """A function that is called repeatedly compiles a new function in each call. `again` is such a call, or the loop.

    `decorators` are the names in the decorators of the functions on the way to these calls.
    """

    application: Application
    what: str
    again: Place
    in_loop: bool
    decorators: frozenset[str]
    is_seldom: bool = False  # the loop waits for a person, or each call runs what it has read from another file


@dataclass(frozen=True, slots=True, eq=False)
class ClosureConstant(Event):
    """Code that `program` traces uses a large array from outside, of this shape and this many bytes."""

    shape: tuple[Dim, ...]
    size: int
    program: Trace

    @property
    def cause(self) -> Cause:
        """The array in the program, which has one copy of it for all that read it."""
        return Cause(Place(self.program.origin.path, self.program.origin.at), f"{self.text} {self.shape}")


@dataclass(frozen=True, slots=True, eq=False)
class CompiledMethod(Event):
    """A method of an object is compiled for one call, in this `loop` or in a method that others call."""

    application: Application
    name: str
    loop: Place | None


@dataclass(frozen=True, slots=True, eq=False)
class MixedCallForm(Event):
    """A call passes parameters by name (`by_name`) or by position, and an earlier call did the opposite."""

    application: Application
    names: tuple[str, ...]
    by_name: bool
    earlier: Place


@dataclass(frozen=True, slots=True, eq=False)
class RetypedArgument(Event):
    """One leaf of an argument has another type than in an earlier call of a compiled function; the rest is equal.

    `part` leads to the leaf; `types` are those of the earlier call and of this one. `loop` is set if both are one call
    in two iterations; the event is then at the value that the passed name starts with, if that is known, and `earlier`
    is where it is passed. `programs` is the number of programs that JAX compiles for the known calls. `in_doubt` is set
    if the shapes of other arguments may differ as well.
    """

    application: Application
    operand: Operand
    part: str
    types: tuple[str, str]
    earlier: Place
    loop: Place | None
    programs: int
    in_doubt: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DonatedUse(Event):
    """An array is used after a call that its buffer was donated to, or by that same call."""

    raises: ClassVar[bool] = True

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
    """A donated `array` has a size that no result has, so JAX ignores the donation.

    `is_crowded` is set if a result has the size, but another donated array takes its place.
    """

    operand: Operand
    application: Application
    array: Array
    asked_place: Place
    is_crowded: bool
