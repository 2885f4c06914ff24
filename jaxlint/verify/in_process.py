"""Observing the process that we are in: the records of one folder, and what a stretch of time adds to them."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from jaxlint.config.errors import ConfigError
from jaxlint.verify.model import EagerLine, FunctionCounts, Miss, Observation, ObservedFinding, Runtime
from jaxlint.verify.observe.history import History

#: The records of work, beside those that say what there is.
_WORK: Final = frozenset({"begin", "end", "lower", "compile", "hit", "calls"})
_NOTHING: Final = Observation((), "", Runtime(), complete=True, functions=(), eager=())


class Session:
    """The observed process. `own` says that the folder of the records is ours to remove."""

    def __init__(self, folder: str, *, own: bool) -> None:
        self.folder = folder
        self.own = own

    @classmethod
    def begin(cls) -> Session:
        """Observe this process and those that it starts; a run that is observed already goes on as it is.

        Raises ConfigError where there is no folder for the records.
        """
        from jaxlint.verify.observe.process import INJECTED, observing

        folder = os.environ.get("JAXLINT_OBSERVE")
        own = folder is None
        if folder is None:
            try:
                folder = tempfile.mkdtemp(prefix="jaxlint-observed-")
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise ConfigError(f"there is no folder for the records: {reason}") from None
            os.environ.update(observing(os.environ, folder))
        if "_jaxlint_observer" not in sys.modules:
            sys.path.insert(0, INJECTED)
            try:
                import _jaxlint_observer  # type: ignore[import-not-found, unused-ignore]
            finally:
                sys.path.remove(INJECTED)
            _jaxlint_observer.arm()
        return cls(folder, own=own)

    def now(self) -> float:
        """The clock of the records, in seconds."""
        from _jaxlint_observer import records  # type: ignore[import-not-found, unused-ignore]

        return float(records.age())

    def traces_since(self, start: float) -> dict[str, int]:
        """How often each function of the user's was traced in this process since `start`."""
        history = self._history()
        counts: dict[str, int] = {}
        for run in history.order if history else ():
            if run.at >= start and run.is_execution and run.entry.owner == "user":
                name = run.entry.function[2]
                counts[name] = counts.get(name, 0) + 1
        return counts

    def observation(self, command: tuple[str, ...], ended: str, seconds: float = 0.0) -> Observation:
        """All that was recorded so far, by this process and by those that it started."""
        from jaxlint.verify.observe.counts import tally
        from jaxlint.verify.observe.observe import observation
        from jaxlint.verify.observe.process import Ended
        from jaxlint.verify.observe.record_reader import read_logs

        logs = read_logs(self.folder)
        how = Ended(0, ended, timed_out=False, signal=None, seconds=seconds)
        return observation(command, how, logs, tally(logs), (), running=os.getpid())

    def observation_since(self, start: float) -> Observation:
        """What this process recorded since `start`, as if nothing had been traced before."""
        from jaxlint.verify.observe.counts import tally
        from jaxlint.verify.observe.observe import observation
        from jaxlint.verify.observe.process import Ended
        from jaxlint.verify.observe.record_reader import read_logs, since

        logs = [log for log in read_logs(self.folder) if log.pid == os.getpid()][-1:]
        for log in logs:
            log.records = since(log.records, start, _WORK)
        how = Ended(0, "", timed_out=False, signal=None, seconds=0.0)
        return observation((), how, logs, tally(logs), (), running=os.getpid())

    def end(self) -> None:
        """Remove the records; what is still recorded afterwards goes nowhere."""
        if self.own:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _history(self) -> History | None:
        from jaxlint.verify.observe.counts import tally
        from jaxlint.verify.observe.record_reader import read_logs

        tallied = tally(log for log in read_logs(self.folder) if log.pid == os.getpid())
        return tallied.histories[-1] if tallied.histories else None


@dataclass(slots=True)
class Report:
    """What JAX traced and compiled in a block; empty until the block has ended."""

    observation: Observation = field(default=_NOTHING)

    @property
    def recompilations(self) -> int:
        """How often a function was compiled again, over all functions."""
        return self.observation.recompilations

    @property
    def functions(self) -> tuple[FunctionCounts, ...]:
        """The functions that were traced, with counts, seconds and reasons, the costliest first."""
        return self.observation.functions

    @property
    def findings(self) -> tuple[ObservedFinding, ...]:
        """The defects that showed."""
        return self.observation.observed

    @property
    def traces(self) -> Mapping[str, int]:
        """How often each function was traced, by qualified name."""
        return {function.name: function.traces for function in self.functions if function.traces}

    def text(self) -> str:
        """The report as `jaxlint verify` prints it."""
        from jaxlint.report.paint import Paint
        from jaxlint.report.paths import PathPrinter
        from jaxlint.verify.report.terminal import text_lines

        return "\n".join(text_lines(self.observation, PathPrinter(os.getcwd()), Paint(enabled=False)))

    def json(self) -> str:
        """The report as JSON, as `jaxlint verify --output-format json` writes it."""
        from jaxlint.report.paths import PathPrinter
        from jaxlint.verify.report.verify_json import json_text

        return json_text(self.observation, PathPrinter(os.getcwd()), indent=2)

    def html(self) -> str:
        """The report as a page for browsers, in one piece."""
        from jaxlint.report.paths import PathPrinter

        return page_of(self.observation, PathPrinter(os.getcwd()))

    def __str__(self) -> str:
        return self.text()


def page_of(observation: Observation, paths: object) -> str:
    """An observation as a page; `paths` prints its paths."""
    from jaxlint.files.read import read_text
    from jaxlint.report.paths import PathPrinter
    from jaxlint.verify.report.html.document import page_text
    from jaxlint.verify.run_proofs import RUN_PROOFS

    assert isinstance(paths, PathPrinter)
    return page_text(observation, paths, read_text, lambda rule: RUN_PROOFS[rule].text if rule in RUN_PROOFS else None)


_process: list[Session] = []


def process_session() -> Session:
    """The one session of this process that blocks share. Raises ConfigError."""
    if not _process or (_process[0].own and not os.path.isdir(_process[0].folder)):
        session = Session.begin()
        if session.own:
            owner = os.getpid()
            atexit.register(lambda: session.end() if os.getpid() == owner else None)
        _process[:] = [session]
    return _process[0]


@contextmanager
def observed_block() -> Iterator[Report]:
    """Fill a report with what a block adds to the records. Raises ConfigError."""
    session = process_session()
    before = session.observation((), "")
    start, clock = session.now(), time.monotonic()
    report = Report()
    try:
        yield report
    finally:
        after = session.observation((), "at the end of the block", time.monotonic() - clock)
        report.observation = added(before, after, start)


def added(before: Observation, after: Observation, start: float) -> Observation:
    """What `after` holds beyond `before`; misses are those since `start`."""
    known = {(f.path, f.line, f.name): f for f in before.functions}
    functions = [_added_counts(known.get((f.path, f.line, f.name)), f, start) for f in after.functions]
    lines = {(line.path, line.line): line for line in before.eager}
    eager = [_added_line(lines.get((line.path, line.line)), line) for line in after.eager]
    seen = {(f.rule, f.path, f.line): f.count for f in before.observed}
    counted = [replace(f, count=f.count - seen.get((f.rule, f.path, f.line), 0)) for f in after.observed]
    return replace(
        after,
        functions=tuple(f for f in functions if f.was_traced),
        eager=tuple(line for line in eager if line.compiles),
        observed=tuple(f for f in counted if f.count > 0),
        problems=tuple(p for p in after.problems if p not in before.problems),
        complete=after.complete or set(after.problems) == set(before.problems),
    )


def _added_counts(before: FunctionCounts | None, after: FunctionCounts, start: float) -> FunctionCounts:
    if before is None:
        return after
    calls = None if after.calls is None else after.calls - (before.calls or 0)
    return replace(
        after,
        calls=calls,
        traces=after.traces - before.traces,
        lowerings=after.lowerings - before.lowerings,
        compiles=after.compiles - before.compiles,
        cache_hits=after.cache_hits - before.cache_hits,
        trace_seconds=max(0.0, after.trace_seconds - before.trace_seconds),
        lower_seconds=max(0.0, after.lower_seconds - before.lower_seconds),
        compile_seconds=max(0.0, after.compile_seconds - before.compile_seconds),
        misses=_since(after.misses, start),
    )


def _since(misses: tuple[Miss, ...], start: float) -> tuple[Miss, ...]:
    return tuple(miss for miss in misses if miss.at >= start)


def _added_line(before: EagerLine | None, after: EagerLine) -> EagerLine:
    if before is None:
        return after
    ops = {name: count - before.ops.get(name, 0) for name, count in after.ops.items()}
    return replace(
        after,
        ops={name: count for name, count in ops.items() if count > 0},
        compiles=after.compiles - before.compiles,
        seconds=max(0.0, after.seconds - before.seconds),
    )
