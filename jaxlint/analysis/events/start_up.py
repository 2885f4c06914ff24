"""Events of settings that JAX reads once, as it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.events.event import Event

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Place
    from jaxlint.jaxapi.rows import StartUpRow


@dataclass(frozen=True, slots=True, eq=False)
class LateSetting(Event):
    """A setting is changed after what reads it has happened, at `since`."""

    setting: StartUpRow
    since: Place


@dataclass(frozen=True, slots=True, eq=False)
class ImportTimeWork(Event):
    """JAX computes, or is asked for devices, as a module is imported; `kind`: array, key or devices."""

    kind: str
