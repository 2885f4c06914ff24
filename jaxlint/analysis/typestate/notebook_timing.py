"""Clocks of IPython: what runs between the start of one and its end is timed, and what it draws may be nobody's.

Under-approximates as the clocks that code reads do: see `timed_regions`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.timeline import Timeline
from jaxlint.analysis.events.timed_region import TimedRegion
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.typestate.timing import as_seen, is_first_call, lines_of
from jaxlint.syntax.clocks import Clock

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import KeyUse
    from jaxlint.analysis.machine.interpreter import Interpreter


#: Clocks that run their code many times.
_REPEATING: Final = frozenset({"%timeit", "%%timeit"})


class _Running(NamedTuple):
    """A clock that was started: when, in how many loops, and the uses of keys until then where its own do not count."""

    node: Clock
    serial: int
    depth: int
    keys: dict[Ident, tuple[KeyUse, ...]] | None


@dataclass(slots=True)
class _Clocks(Table):
    """The clock that runs in an invocation, by its serial number."""

    running: dict[int, _Running] = field(default_factory=dict)


def run(it: Interpreter, node: Clock) -> bool:
    """A clock starts or stops."""
    frame = it.frame
    state = frame.state
    running: _Running | None = it.tables[_Clocks].running.pop(frame.serial, None)
    if node.magic:
        state.clock = state.clock or Timeline()
        kept = state.keys if node.is_dropped else None
        if kept is not None:
            state.keys = {}
        it.tables[_Clocks].running[frame.serial] = _Running(node, it.fresh(), len(frame.all_iterations()), kept)
    elif running is not None:
        if running.keys is not None:
            state.keys = running.keys
        _tell(it, running)
    return True


def _tell(it: Interpreter, running: _Running) -> None:
    """Tell the rules of work that the clock does not wait for."""
    frame = it.frame
    timeline = frame.state.clock
    if timeline is None or frame.trace is not None or not it.wants(TimedRegion):
        return
    work = timeline.unfinished(running.serial, running.depth)
    if work is None:
        return
    seen = as_seen(work, frame)
    at = seen.at if seen.frame is frame else running.node.at
    line = frame.module.source.span(running.node.at).line
    lines = lines_of(frame, {line - 1, line, frame.module.source.span(at).line})
    dispatched = Place(work.frame.path, work.at)
    is_light = timeline.work is not work
    magic = running.node.magic
    is_first = work.program.keeps and magic not in _REPEATING and is_first_call(it, seen, again=False)
    compiles = is_first or work.is_compiled_again(running.serial)
    found = TimedRegion(frame, at, seen, dispatched, is_light, lines, running.node.at, magic)
    it.emit(replace(found, compiles=compiles, calls_host=work.program.calls_host))
