"""Events of settings that JAX reads once, and of work at import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.events.event import Event

if TYPE_CHECKING:
    from jaxlint.analysis.domain.findings import Place
    from jaxlint.jaxapi.rows import StartUpRow


@dataclass(frozen=True, slots=True, eq=False)
class LateSetting(Event):
    """A setting changes after the code that reads it has run, at `since`.

    `is_exact`: all arrays that were made too early hold only numbers that 32 bits hold exactly. `is_repeated`: a module
    that the file imports sets it as well, perhaps in time.
    """

    setting: StartUpRow
    since: Place
    is_exact: bool = False
    is_repeated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ImportTimeWork(Event):
    """Importing a module runs JAX or queries devices. `kind` is array, key or devices."""

    kind: str
