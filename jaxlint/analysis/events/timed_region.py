"""Events of measured time: what two readings of a clock have between them."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class TimedRegion(Event):
    """The difference of two readings of a clock, with JAX work between them that nothing waited for.

    `work` is that work as seen from the code that both share, `dispatched` where JAX was called. `is_light`: an
    operation on arrays, nothing compiled. `lines` are the lines of code around the clock.
    `clock` is where the time is taken: the subtraction, or a clock of IPython, which `magic` names; the event then is
    the work itself, for nothing else is there to be changed.
    """

    work: Operand
    dispatched: Place
    is_light: bool
    lines: tuple[str, ...]
    clock: int
    magic: str = ""
    compiles: bool = False  # the work is a call that compiles what was made between the readings
    is_chained: bool = False  # what is measured next begins where this ends
