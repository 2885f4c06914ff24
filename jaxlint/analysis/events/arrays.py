"""Events of changes to arrays in place, and of results thrown away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    from jaxlint.analysis.domain.axis_patterns import Fault
    from jaxlint.analysis.domain.findings import Place
    from jaxlint.syntax import ir


@dataclass(frozen=True, slots=True, eq=False)
class ItemStore(Event):
    """`base[index] = value` (`op` empty), `base[index] op= value`, or `del base[index]` (`op` "del").

    `way` says how to replace the attribute that the base is, as `assignability.how_to_replace` has it. `method` is the
    one of `x.at[i]` that the operator stands for; `set` sets what it gives, where no other does.
    """

    base: Operand
    index: tuple[Operand, ...]
    op: str
    value: Operand | None
    way: str = ""
    method: str = "set"


@dataclass(frozen=True, slots=True, eq=False)
class Discarded(Event):
    """A statement that throws away the result of a call; `method` is set for methods of arrays and `.at[...]`.

    `optimized`: what an optimizer gives in it.
    """

    call: ir.Call
    method: str
    receiver: Operand | None
    function: str
    is_array_function: bool = False
    optimized: str = ""  # "parameters" or "updates"

    @property
    def is_shown(self) -> bool:
        """Whether it is the last statement of a cell, whose value IPython shows."""
        source = self.frame.module.source
        if self.frame.kind != "module" or source.layout is None:
            return False
        return source.layout.shows(source.text, source.offsets(self.call.at)[1])


@dataclass(frozen=True, slots=True, eq=False)
class InPlaceCall(Event):
    """A call that would write into an array: `np.add.at(x, ...)`, `x.fill(0)`, `out=x`, `np.copyto(x, ...)`.

    `method` is the one of `x.at[i]` that does what the first does; empty where there is none.
    """

    target: Operand
    how: str
    method: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SequenceArgument(Event):
    """A list or tuple where a function takes an array."""

    operand: Operand
    function: str
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class NanComparison(Event):
    """An array is compared with NaN: `op` is `==`, `!=`, `is` or `is not`; `other_at` is the operand that is NaN."""

    operand: Operand
    op: str
    nan_at: int


@dataclass(frozen=True, slots=True, eq=False)
class WideDtype(Event):
    """A dtype of 64 bits is asked for, as `written`, and cut to another one."""

    dtype: str
    cut_to: str
    written: str


@dataclass(frozen=True, slots=True, eq=False)
class OutOfBounds(Event):
    """A constant index is none of an array's elements; `method` is the one of `x.at[i]` that writes there, if any."""

    array: Operand
    index: int
    dimension: int
    size: int
    method: str


@dataclass(frozen=True, slots=True, eq=False)
class PatternMismatch(Event):
    """A call of `einsum` or einops does not fit its pattern."""

    pattern: str
    operands: tuple[Operand, ...]
    fault: Fault


@dataclass(frozen=True, slots=True, eq=False)
class NumericalIdiom(Event):
    """A formula that a function of JAX computes better; `part` is the place of what it is made of.

    `form`: log1p, expm1, logsumexp or log_softmax.
    """

    form: str
    part: Place

    @property
    def is_whole(self) -> bool:
        """Whether all of the formula stands in one expression."""
        start, end = self.frame.module.source.offsets(self.at)
        inner, last = self.frame.module.source.offsets(self.part.at) if self.part.path == self.frame.path else (-1, -1)
        return start <= inner and last <= end


#: Events that stand for an exception which a handler in the same function may make up for.
STORES = frozenset({InPlaceCall, ItemStore})
