"""Events of what transforms ask of the functions and the arguments that they are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.values import Origin, Value


@dataclass(frozen=True, slots=True, eq=False)
class Contract(Event):
    """Something that JAX refuses, whatever the values are."""

    @property
    def confidence(self) -> Confidence:
        """Code behind an undecided test of a rank, or for one of several values, may never see what it is told of."""
        caveats = self.frame.caveats
        return Confidence.POSSIBLE if caveats.rank_asked or caveats.one_of_several else Confidence.CERTAIN

    def sure(self, *, assumed: bool) -> Confidence:
        """The same where a convention or an annotation may say what a value is."""
        return max(self.confidence, Confidence.LIKELY, key=_rank) if assumed else self.confidence


def _rank(confidence: Confidence) -> int:
    return confidence.rank


@dataclass(frozen=True, slots=True, eq=False)
class ValueAsFunction(Contract):
    """A transform is given values where it takes functions; `functions` is how many it takes.

    `is_alone` says that it is given nothing that it would pass on to them.
    """

    operands: tuple[Operand, ...]
    transform: str
    functions: int
    is_alone: bool


@dataclass(frozen=True, slots=True, eq=False)
class Differentiation(Contract):
    """A function is differentiated, and returned `result`; `has_aux` None: it is not known whether that is asked for.

    `returned` is the expression that it returns, where there is one only.
    """

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
    """An argument that a function is differentiated by holds whole numbers or truth values.

    `part` is how the number is reached from it: `["w"]`; `dtype` is its dtype.
    """

    operand: Operand
    application: Application
    part: str
    dtype: str
    assumed: bool


@dataclass(frozen=True, slots=True, eq=False)
class MissingArgument(Contract):
    """A function is differentiated by an argument that is not there.

    `given` is how many positional arguments it gets (`name` None), or takes.
    """

    application: Application
    number: int
    given: int
    by_keyword: str | None
    is_call: bool


@dataclass(frozen=True, slots=True, eq=False)
class BodyContract(Contract):
    """A function that a loop or a choice runs does not take, or does not return, what it must.

    `fault` says what is wrong as the end of a sentence about `function`; `returned` is the expression that is.
    `is_carry`: it is what the loop carries, where that and an output are to be returned.
    """

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
    """A loop's body returns another type than it got, or two branches return different ones.

    `part` is how the value is reached from the carry or the result, `was` and `becomes` are what it is.
    """

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
    """A mapped function is called with arguments that do not have the axes that it is mapped along.

    `named` are the keywords of the call that the function takes by position as well, behind what it is given so, where
    as many axes are named as there are arguments. `call` is where the call stands, `without_axes` the positions of its
    arguments that are single numbers.
    """

    application: Application
    fault: str
    call: int
    named: tuple[str, ...] = ()
    without_axes: tuple[int, ...] = ()


class AxisBinder(NamedTuple):
    """A transform around an operation that maps a function: what it maps, the names that it binds, and where."""

    transform: str
    function: str
    axes: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class UnboundAxis(Contract):
    """A collective runs along an axis that nothing around it binds; `binders` map what is around, innermost first."""

    axis: str
    binders: tuple[AxisBinder, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReverseThroughLoop(Contract):
    """A function is differentiated in reverse, but its result comes out of a loop of an unknown number of passes."""

    application: Application
    loop: Origin

    @property
    def place(self) -> Place:
        """Where the loop is."""
        return Place(self.loop.path, self.loop.at)


@dataclass(frozen=True, slots=True, eq=False)
class DerivativeRules(Contract):
    """A function with derivatives of its own has no rules for them, or rules that do not fit it; `fault` says which."""

    application: Application
    fault: str


@dataclass(frozen=True, slots=True, eq=False)
class MaskedDerivative(Contract):
    """A function is differentiated in reverse, and a mask keeps a value away that has no finite derivative there.

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
