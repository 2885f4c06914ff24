"""Events of measured time."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class TimedRegion(Event):
    """Two clock readings measure JAX work that nothing waited for.

    `work` is that work as seen from the code that both readings share; `dispatched` is the call of JAX. `is_light` is
    set for an operation on arrays that compiles nothing. `lines` are the lines of code around the clock. `clock` is the
    subtraction, or the clock of IPython that `magic` names; the event is then at the work itself.
    """

    work: Operand
    dispatched: Place
    is_light: bool
    lines: tuple[str, ...]
    clock: int
    magic: str = ""
    compiles: bool = False  # the work is a call that compiles what was made between the readings
    is_unread: bool = False  # nothing reads the time that is measured
    is_chained: bool = False  # what is measured next begins where this ends
    calls_host: bool = False  # the compiled program calls the host
