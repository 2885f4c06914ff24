"""Events of models that run without the state or the keys that they need."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class MissingStream(Event):
    """A model runs without a key for `stream`, from which it draws at `drawn_at`."""

    stream: str
    drawn_at: Place


@dataclass(frozen=True, slots=True, eq=False)
class MissingKey(Event):
    """A layer in training mode, written as `layer`, is called without the key that it draws with.

    `is_declared`: nobody is seen to make it, and an annotation alone says that it is such a layer.
    """

    layer: str
    is_declared: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ImmutableCollection(Event):
    """A model runs with read-only variables, and updates `collection` at `updated_at`.

    `is_among_others`: other collections may be updated.
    """

    collection: str
    updated_at: Place
    is_among_others: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class UnwrappedCollection(Event):
    """A model receives one collection of variables where it takes a dict of all collections."""

    variables: Operand
    collection: str


@dataclass(frozen=True, slots=True, eq=False)
class EscapingState(Event):
    """A layer that changes when it runs is called in a trace that began after the `layer` was created.

    `is_refused` is set if the traced function closes over it; otherwise it is an argument, and only a copy changes.
    """

    layer: Operand
    transform: str
    is_refused: bool
