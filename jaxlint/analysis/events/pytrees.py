"""Events of functions of trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class TreeCall(Event):
    """A function of jax.tree over trees whose structure is known in part."""

    name: str
    trees: tuple[Operand, ...]
    has_is_leaf: bool
    none_paths: tuple[Any, ...]
    tests_none: bool = False
