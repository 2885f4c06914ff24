"""Events of optimizers: their updates, states and parameters."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.contracts import Contract
from jaxlint.analysis.events.event import Event


@dataclass(frozen=True, slots=True, eq=False)
class UpdateWithoutParams(Contract):
    """An optimizer that reads the parameters computes updates without them."""

    optimizer: str


@dataclass(frozen=True, slots=True, eq=False)
class StaleTraining(Event):
    """Each iteration starts from the same optimizer state or the same parameters, but passes on the rest.

    `kept` is `state` or `params`, or `updates` where these reach nothing at all; `written` is the expression.
    """

    kept: str
    written: str


@dataclass(frozen=True, slots=True, eq=False)
class StateReturned(Event):
    """A compiled step returns the unchanged optimizer state beside updated parameters."""

    written: str


@dataclass(frozen=True, slots=True, eq=False)
class UnconjugatedStep(Contract):
    """A complex array is updated with a gradient that was not conjugated, or an optimizer receives such a gradient.

    `written` is the array, or the gradients that the `optimizer` receives; `transform` computed the gradient at
    `taken`.
    """

    written: str
    transform: str
    taken: Place
    optimizer: str | None = None
