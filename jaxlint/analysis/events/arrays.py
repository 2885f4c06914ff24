"""Events of in-place changes to arrays, and of discarded results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from jaxlint.analysis.domain.values import Made
from jaxlint.analysis.events.event import Event, Operand
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.axis_patterns import Fault
    from jaxlint.analysis.domain.findings import Place


@dataclass(frozen=True, slots=True, eq=False)
class ItemStore(Event):
    """`base[index] = value` (`op` is empty), `base[index] op= value`, or `del base[index]` (`op` is "del").

    `way` states how to replace the attribute that is the base (`assignability.how_to_replace`). `method` is the method
    of `x.at[i]` that matches the operator, and `set` where none does.
    """

    raises: ClassVar[bool] = True

    base: Operand
    index: tuple[Operand, ...]
    op: str
    value: Operand | None
    way: str = ""
    method: str = "set"


@dataclass(frozen=True, slots=True, eq=False)
class Discarded(Event):
    """A statement discards the result of a call. `method` is set for array methods and `.at[...]` methods.

    `is_array_function`: the function or method has no other effect than the array that it returns.
    `optimized` names what an optimizer returns in the result.
    """

    call: ir.Call
    method: str
    receiver: Operand | None
    function: str
    is_array_function: bool = False
    optimized: str = ""  # "parameters" or "updates"

    @property
    def updated_text(self) -> str:
        """The `x` of `x.at[i].set(v)`; empty where `x.at[i]` has a name of its own."""
        match self.call.func:
            case ir.Attribute(base=ir.Subscript(base=ir.Attribute(base=base, attr="at"))):
                return self.frame.module.text(base.at)
            case _:
                return ""

    @property
    def is_claimed(self) -> bool:
        """Whether nothing but an annotation tells of which class the object is."""
        value = None if self.receiver is None else self.receiver.value
        return isinstance(value, Made) and value.declared

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

    `method` is the equivalent method of `x.at[i]`; empty if there is none.
    """

    target: Operand
    how: str
    method: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SequenceArgument(Event):
    """A list or tuple is passed where a function takes an array."""

    raises: ClassVar[bool] = True

    operand: Operand
    function: str
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class NanComparison(Event):
    """An array is compared with NaN. `op` is `==`, `!=`, `is` or `is not`; `nan_at` is the operand that is NaN."""

    operand: Operand
    op: str
    nan_at: int


@dataclass(frozen=True, slots=True, eq=False)
class WideDtype(Event):
    """Code requests a 64-bit dtype, as `written`, and JAX truncates it."""

    dtype: str
    cut_to: str
    written: str
    is_default: bool  # what is written also stands for the default type of its kind
    enough: str = ""  # why 32 bits may hold all that is needed


@dataclass(frozen=True, slots=True, eq=False)
class OutOfBounds(Event):
    """A constant index is out of bounds. `method` is the method of `x.at[i]` that writes there, if any."""

    array: Operand
    index: int
    dimension: int
    size: int
    method: str


@dataclass(frozen=True, slots=True, eq=False)
class PatternMismatch(Event):
    """The operands of an `einsum` or einops call do not match its pattern."""

    raises: ClassVar[bool] = True

    pattern: str
    operands: tuple[Operand, ...]
    fault: Fault


@dataclass(frozen=True, slots=True, eq=False)
class NumericalIdiom(Event):
    """A formula that a JAX function computes more accurately. `part` is the place of its inner part.

    `form` is log1p, expm1, logsumexp or log_softmax.
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
