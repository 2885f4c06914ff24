"""Events of what frameworks refuse: a model run without the state or the keys that it needs."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class MissingStream(Event):
    """A model is run without a key for `stream`, from which it draws at `drawn_at`."""

    stream: str
    drawn_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class MissingKey(Event):
    """A layer in training mode, written as `layer`, is called without the key that it draws with."""

    layer: str


@dataclass(frozen=True, slots=True, eq=False)
class ImmutableCollection(Event):
    """A model is run with all its variables read-only, and updates `collection` at `updated_at`."""

    collection: str
    updated_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class UnwrappedCollection(Event):
    """A model is given one of its collections of variables where it needs all of them by name."""

    variables: Operand
    collection: str


@dataclass(frozen=True, slots=True, eq=False)
class EscapingState(Event):
    """A layer that changes when it runs does so in the trace of a transform, which the `layer` was made outside of.

    `is_refused`: the traced function closes over it; otherwise it is an argument, of which a copy changes.
    """

    layer: Operand
    transform: str
    is_refused: bool
