"""Events of functions and arguments that a transform rejects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.values import Origin, Value


@dataclass(frozen=True, slots=True, eq=False)
class Contract(Event):
    """Code that JAX rejects for any values."""

    @property
    def confidence(self) -> Confidence:
        """*Possible* behind an undecided test of a rank, or for one of several values, which may never get there."""
        caveats = self.frame.caveats
        return Confidence.POSSIBLE if caveats.rank_asked or caveats.one_of_several else Confidence.CERTAIN

    def sure(self, *, assumed: bool) -> Confidence:
        """The confidence, and at most *likely* if a convention or an annotation states what the value is."""
        return max(self.confidence, Confidence.LIKELY, key=_rank) if assumed else self.confidence


def _rank(confidence: Confidence) -> int:
    return confidence.rank


@dataclass(frozen=True, slots=True, eq=False)
class ValueAsFunction(Contract):
    """A transform receives values where it takes functions. `functions` is the number that it takes.

    `is_alone` is set if it receives nothing that it would pass on to them.
    """

    raises: ClassVar[bool] = True

    operands: tuple[Operand, ...]
    transform: str
    functions: int
    is_alone: bool


@dataclass(frozen=True, slots=True, eq=False)
class Differentiation(Contract):
    """A function is differentiated and returns `result`. `has_aux` is None if it is unknown.

    `returned` is the returned expression, if there is only one.
    """

    raises: ClassVar[bool] = True

    application: Application
    result: Value
    has_aux: bool | None
    holomorphic: bool
    assumed: bool
    returned: Place | None

    @property
    def place(self) -> Place:
        """Where the function is given to the transform."""
        return Place(self.application.frame.path, self.application.at)


@dataclass(frozen=True, slots=True, eq=False)
class DifferentiatedArgument(Contract):
    """A function is differentiated with respect to an argument that holds integers or booleans.

    `part` leads from the argument to the number (`["w"]`); `dtype` is its dtype.
    """

    raises: ClassVar[bool] = True

    operand: Operand
    application: Application
    part: str
    dtype: str
    assumed: bool


@dataclass(frozen=True, slots=True, eq=False)
class MissingArgument(Contract):
    """A function is differentiated with respect to an argument that it does not have.

    `given` is the number of positional arguments that it receives, or takes.
    """

    raises: ClassVar[bool] = True

    application: Application
    number: int
    given: int
    by_keyword: str | None
    is_call: bool


@dataclass(frozen=True, slots=True, eq=False)
class BodyContract(Contract):
    """The function of a loop or a branch takes the wrong arguments or returns the wrong values.

    `fault` completes a sentence about `function`; `returned` is the returned expression. `is_carry` is set if the
    function returns only the carry where it must return the carry and an output.
    """

    raises: ClassVar[bool] = True

    transform: str
    function: str
    fault: str
    returned: Place | None
    is_carry: bool = False

    @property
    def place(self) -> Place:
        """What is returned, if that is at fault and is written in one place; else the call of the transform."""
        return self.returned or Place(self.frame.path, self.at)


@dataclass(frozen=True, slots=True, eq=False)
class CarryType(Contract):
    """The body of a loop returns another type than its carry, or two branches return different types.

    `part` leads to the value in the carry or result; `was` and `becomes` are the two types.
    """

    raises: ClassVar[bool] = True

    transform: str
    part: str
    was: str
    becomes: str
    assumed: bool
    is_branch: bool
    returned: Place | None

    @property
    def place(self) -> Place:
        """What is returned, if that is written in one place; else the call of the transform."""
        return self.returned or Place(self.frame.path, self.at)


@dataclass(frozen=True, slots=True, eq=False)
class AxesMismatch(Contract):
    """The arguments of a mapped function do not have the axes that it is mapped along.

    `named` are the keywords of the call that could also be passed by position, if that would match the number of axes.
    `call` is the place of the call, and `without_axes` the positions of its scalar arguments.
    """

    raises: ClassVar[bool] = True

    application: Application
    fault: str
    call: int
    named: tuple[str, ...] = ()
    without_axes: tuple[int, ...] = ()


class AxisBinder(NamedTuple):
    """A transform around an operation that maps a function: what it maps, the axis names it binds, and where."""

    transform: str
    function: str
    axes: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class UnboundAxis(Contract):
    """A collective uses an axis that no enclosing transform binds. `binders` are these, innermost first.

    The event is at the innermost of them if that one has no axis name, and at the collective otherwise. `is_guarded` is
    set if the collective stands behind a test that may be for calls from where the axis is bound.
    """

    raises: ClassVar[bool] = True

    axis: str
    collective: Operand
    binders: tuple[AxisBinder, ...]
    is_guarded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ReverseThroughLoop(Contract):
    """Reverse-mode differentiation reaches a loop with an unknown number of iterations."""

    raises: ClassVar[bool] = True

    application: Application
    loop: Origin

    @property
    def place(self) -> Place:
        """Where the loop is."""
        return Place(self.loop.path, self.loop.at)


@dataclass(frozen=True, slots=True, eq=False)
class MisreadDerivative(Contract):
    """A value and its gradient are unpacked as if they were something else. `fault` says how."""

    application: Application
    fault: str


@dataclass(frozen=True, slots=True, eq=False)
class DerivativeRules(Contract):
    """A function with custom derivatives has no rules, or rules that do not match it. `fault` says which.

    `short` is the backward rule that returns too few cotangents, and how many there must be.
    """

    application: Application
    fault: str
    short: tuple[Place, int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MaskedDerivative(Contract):
    """Reverse-mode differentiation reaches a mask that hides a value whose derivative is not finite.

    `kept_away` is that value as written, `mask` the condition.
    """

    application: Application
    choice: Origin
    call: str
    kept_away: str
    mask: str

    @property
    def place(self) -> Place:
        """Where the choice is made."""
        return Place(self.choice.path, self.choice.at)
