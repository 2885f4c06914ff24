"""Events of static arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.events.event import Event, Operand
from jaxlint.analysis.findings import Place

if TYPE_CHECKING:
    from jaxlint.analysis.application import Application
    from jaxlint.analysis.state import Donation


@dataclass(frozen=True, slots=True, eq=False)
class JitBinding(Event):
    """A function is given to a transform that takes static arguments."""

    application: Application
    target_name: str
    mismatches: tuple[tuple[str, int | str], ...]
    self_fault: tuple[str, str] | None


@dataclass(frozen=True, slots=True, eq=False)
class StaticArgument(Event):
    """A value reaches a static parameter: at a call of the jitted function, or as the default (`is_default`)."""

    operand: Operand
    parameter: str
    application: Application
    is_default: bool

    @property
    def application_place(self) -> Place:
        """Where the parameter was made static."""
        return Place(self.application.frame.path, self.application.at)


@dataclass(frozen=True, slots=True, eq=False)
class DonatedUse(Event):
    """The contents of an array are needed after a call that its buffer was donated to, or by that very call."""

    operand: Operand
    donation: Donation
    sure: bool
    is_same_call: bool

    @property
    def donated_place(self) -> Place:
        """The call that took the buffer."""
        step = self.donation.chain[-1]
        return Place(step.path, step.at)

    @property
    def asked_place(self) -> Place:
        """Where the called function was made to donate."""
        return Place(self.donation.path, self.donation.asked_at)
