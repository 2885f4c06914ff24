"""Events of Pallas kernels, whose arguments are references to memory."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class UnreadReference(Event):
    """A reference is used where its array is meant.

    `taker` is the operator, function or method that receives it, or "" for a store into another reference.
    """

    reference: Operand
    taker: str


@dataclass(frozen=True, slots=True, eq=False)
class KernelResult(Event):
    """A kernel returns a value, which is ignored; a kernel writes its results."""

    kernel: str
    result: Operand


@dataclass(frozen=True, slots=True, eq=False)
class RebindReference(Event):
    """A kernel's parameter is bound to a value before the kernel reads or writes its memory."""

    value: Operand
    name: str
    kernel: str
