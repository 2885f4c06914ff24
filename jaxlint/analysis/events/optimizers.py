"""Events of optimizers, whose updates, states and parameters a loop hands on."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.contracts import Contract
from jaxlint.analysis.events.event import Event


@dataclass(frozen=True, slots=True, eq=False)
class UpdateWithoutParams(Contract):
    """An optimizer that reads the parameters is asked for updates without them."""

    optimizer: str


@dataclass(frozen=True, slots=True, eq=False)
class StaleTraining(Event):
    """Each pass of a loop starts from the same state of an optimizer, or the same parameters, but hands on the rest.

    `kept` is what stays as it was: `state` or `params`; `written` is the expression.
    """

    kept: str
    written: str


@dataclass(frozen=True, slots=True, eq=False)
class StateReturned(Event):
    """A compiled step returns the optimizer's state as it got it, beside parameters that were updated with it."""

    written: str


@dataclass(frozen=True, slots=True, eq=False)
class UnconjugatedStep(Contract):
    """A complex array makes a step along a gradient that was not conjugated, or an optimizer is given such a gradient.

    `written` is the array, or the gradients that the `optimizer` gets; the gradient was `taken` by `transform`.
    """

    written: str
    transform: str
    taken: Place
    optimizer: str | None = None
