"""Events of what tracing forbids or cannot see: values, shapes and branches that depend on a tracer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.events.arrays import Discarded
from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    from jaxlint.jaxapi.rows import MemberRow, NumpyRow


@dataclass(frozen=True, slots=True, eq=False)
class Branch(Event):
    """A truth test: `keyword` is if, while, assert, and, or, not, a comparison chain, `in`, or a builtin's name."""

    test: Operand
    keyword: str


@dataclass(frozen=True, slots=True, eq=False)
class IntegerNeeded(Event):
    """A value that must be a Python integer: in range(), as a count, an index of a container, a repeat."""

    operand: Operand
    use: str  # "range", "index" (container), "slice" (of a container), "repeat"
    container: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Iteration(Event):
    """`for` or a comprehension over a value."""

    iterable: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Conversion(Event):
    """float(x), x.item(), math.exp(x), operator.index(x): `function` as written, `row` what it does to tracers."""

    operand: Operand
    function: str
    row: NumpyRow | MemberRow | None


@dataclass(frozen=True, slots=True, eq=False)
class NumpyCall(Event):
    """A NumPy or SciPy function given an array of JAX."""

    operand: Operand
    function: str
    row: NumpyRow


@dataclass(frozen=True, slots=True, eq=False)
class ShapeArgument(Event):
    """A value in a place that must be static: shape, axis, size, number of classes ..."""

    operand: Operand
    function: str
    parameter: str
    concrete: bool  # even a concrete JAX array is rejected


@dataclass(frozen=True, slots=True, eq=False)
class Dimension(Event):
    """What stands among the dimensions of a shape and is no integer: `fault` is "sequence" or "float"."""

    operand: Operand
    function: str
    fault: str


@dataclass(frozen=True, slots=True, eq=False)
class ArraySubscript(Event):
    """`base[index]` on an array, and `base.at[index]`; one event for the whole index."""

    base: Operand
    index: tuple[Operand, ...]
    slices: tuple[tuple[Operand, ...], ...]
    is_update: bool


@dataclass(frozen=True, slots=True, eq=False)
class DataDependentShape(Event):
    """A call whose result's shape depends on data, without the argument that would fix it."""

    operand: Operand
    function: str
    remedy: str


@dataclass(frozen=True, slots=True, eq=False)
class Hashed(Event):
    """A value used as a dict key, set member or argument of a cached function."""

    operand: Operand
    use: str


@dataclass(frozen=True, slots=True, eq=False)
class Formatted(Event):
    """A value turned to text: `how` is f-string, str, format, %, print, log ...; `spec` is a non-empty format spec."""

    operand: Operand
    how: str
    spec: bool


@dataclass(frozen=True, slots=True, eq=False)
class RecursiveCall(Event):
    """A traced function calls itself, and no static test stands between its entry and the call."""

    function: str


@dataclass(frozen=True, slots=True, eq=False)
class SwallowedError(Event):
    """A handler in traced code catches a tracing error (`error`), or waits for a run-time error that never comes."""

    error: Event | None
    names: str


#: Errors that are raised whatever the rest of the operands are.
CERTAIN_ERRORS = frozenset({Branch, IntegerNeeded, Conversion, NumpyCall, ShapeArgument, DataDependentShape})


#: Events that stand for an exception at trace time: a `try` around them may expect it.
ERRORS = frozenset(
    {
        Branch, IntegerNeeded, Conversion, NumpyCall, ShapeArgument, DataDependentShape, Hashed, ArraySubscript,
        Discarded,
    }
)  # fmt: skip
