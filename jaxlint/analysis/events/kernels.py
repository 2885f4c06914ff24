"""Events of kernels, whose arguments are references to memory."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class UnreadReference(Event):
    """A reference stands where the array that it refers to is meant.

    `taker` is what takes it: an operator, the name of a function or method, or "" for a store into another one.
    """

    reference: Operand
    taker: str


@dataclass(frozen=True, slots=True, eq=False)
class KernelResult(Event):
    """A kernel gives a value, which nobody takes: its results are what it writes."""

    kernel: str
    result: Operand


@dataclass(frozen=True, slots=True, eq=False)
class RebindReference(Event):
    """A parameter of a kernel is bound to a value before anything reads or writes the memory that it stands for."""

    value: Operand
    name: str
    kernel: str
