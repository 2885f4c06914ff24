"""Events of operations that need the value, the shape or the truth of a tracer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from jaxlint.analysis.events.arrays import Discarded
from jaxlint.analysis.events.event import Event, Operand
from jaxlint.diagnostics import Confidence

if TYPE_CHECKING:
    from jaxlint.analysis.events.performance import StaticOperation
    from jaxlint.jaxapi.rows import MemberRow, NumpyRow


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Event):
    """A truth test. `keyword` is if, while, assert, and, or, not, a comparison chain, `in`, or a builtin's name."""

    raises: ClassVar[bool] = True

    test: Operand
    keyword: str


@dataclass(frozen=True, slots=True, eq=False)
class IntegerNeeded(Event):
    """A value that must be a Python integer: in `range`, as a count, an index of a container, or a repeat.

    `made` is what traced a number that Python knew. `holds` is what the container holds, if no array can hold that:
    "functions" or "objects". `declared`: an annotation alone tells that it is a container, of numbers: code that works
    is given an array.
    """

    raises: ClassVar[bool] = True

    operand: Operand
    use: str  # "range", "index" (container), "slice" (of a container), "repeat"
    container: str = ""
    made: StaticOperation | None = None
    holds: str = ""
    declared: bool = False

    @property
    def confidence(self) -> Confidence:
        """How sure it is that a container of Python gets what is traced."""
        return Confidence.POSSIBLE if self.declared else self.operand.confidence


@dataclass(frozen=True, slots=True, eq=False)
class Iteration(Event):
    """A `for` loop or a comprehension iterates over a value."""

    iterable: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Conversion(Event):
    """`float(x)`, `x.item()`, `math.exp(x)`, `operator.index(x)`. `row` states its effect on tracers.

    `made` is what traced a number that Python knew.
    """

    raises: ClassVar[bool] = True

    operand: Operand
    function: str
    row: NumpyRow | MemberRow | None
    made: StaticOperation | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NumpyCall(Event):
    """A NumPy or SciPy function receives a JAX array."""

    raises: ClassVar[bool] = True

    operand: Operand
    function: str
    row: NumpyRow


@dataclass(frozen=True, slots=True, eq=False)
class ShapeArgument(Event):
    """A value in a place that must be static: shape, axis, size, number of classes."""

    raises: ClassVar[bool] = True

    operand: Operand
    function: str
    parameter: str
    concrete: bool  # even a concrete JAX array is rejected


@dataclass(frozen=True, slots=True, eq=False)
class Dimension(Event):
    """A dimension of a shape that is not an integer. `fault` is "sequence" or "float"."""

    raises: ClassVar[bool] = True

    operand: Operand
    function: str
    fault: str


@dataclass(frozen=True, slots=True, eq=False)
class ArraySubscript(Event):
    """`base[index]` on an array, or `base.at[index]`; one event for the whole index."""

    raises: ClassVar[bool] = True

    base: Operand
    index: tuple[Operand, ...]
    slices: tuple[tuple[Operand, ...], ...]
    is_update: bool


@dataclass(frozen=True, slots=True, eq=False)
class DataDependentShape(Event):
    """The shape of a call's result depends on data, and the argument that would fix it is missing.

    `is_counter`: the operand is a number or an array of numbers that counts the elements, as in `repeat`.
    """

    raises: ClassVar[bool] = True

    operand: Operand
    function: str
    remedy: str
    is_counter: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Hashed(Event):
    """A value is used as a dict key, a set member, or an argument of a cached function."""

    raises: ClassVar[bool] = True

    operand: Operand
    use: str


@dataclass(frozen=True, slots=True, eq=False)
class Formatted(Event):
    """A value is converted to text. `how` is f-string, str, format, %, print or log; `spec`: it has a format spec."""

    operand: Operand
    how: str
    spec: bool


@dataclass(frozen=True, slots=True, eq=False)
class RecursiveCall(Event):
    """A traced function calls itself, and no static test is between its entry and the call."""

    function: str


@dataclass(frozen=True, slots=True, eq=False)
class SwallowedError(Event):
    """A handler in traced code catches a tracing error (`error`), or a runtime error that never occurs.

    `catches_others` is set if it also catches errors that may occur, which are not among the `names`.
    """

    error: Event | None
    names: str
    catches_others: bool = False


#: Errors that are raised whatever the rest of the operands are.
CERTAIN_ERRORS = frozenset({Branch, IntegerNeeded, Conversion, NumpyCall, ShapeArgument, DataDependentShape})


#: Events that stand for an exception at trace time: a `try` around them may expect it.
ERRORS = frozenset(
    {
        Branch, IntegerNeeded, Conversion, NumpyCall, ShapeArgument, DataDependentShape, Hashed, ArraySubscript,
        Discarded,
    }
)  # fmt: skip
