"""What a run made that holds itself is let go when the run is over: nobody has to search the memory for it.

It also stays until then, so that what is known by its address is not taken for something else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.frames import Flow, Pending
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.values import ClassValue
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class Cycles(Table):
    """What holds itself: invocations by functions that close over them, or by their traces, and classes by methods.

    Those of before `start` belong to another run, which goes on.
    """

    frames: dict[Frame, None] = field(default_factory=dict)
    classes: list[ClassValue] = field(default_factory=list)
    start: int = 0


def release(it: Interpreter) -> None:
    """Let go of all that a run made which is over: nothing of it is left then but its findings."""
    cycles = it.tables[Cycles]
    modules = (module.frame for module in it.modules.values() if module.frame is not None)
    for frame in [*cycles.frames, *modules]:
        if frame.serial >= cycles.start:
            frame.state, frame.flow, frame.pending = State({}, {}, {}), Flow(), Pending()
            frame.trace, frame.choices = None, {}
    for cls in cycles.classes:
        cls.namespace = {}
    it.tables.clear()
