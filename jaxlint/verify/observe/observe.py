"""One observed run from command to observation."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jaxlint.config.errors import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.text import plural
from jaxlint.verify.model import JudgedFinding, Observation
from jaxlint.verify.observe.cells import notebooks_of, write_cells
from jaxlint.verify.observe.counts import Tally, runtime, tally
from jaxlint.verify.observe.observed import observed_findings
from jaxlint.verify.observe.process import Ended, run_command
from jaxlint.verify.observe.record_reader import ProcessLog, read_logs
from jaxlint.verify.observe.run_verdicts import judge_run
from jaxlint.verify.observe.watch_list import instrumented_command, watch_points, write_watch_list


def observe(
    command: Sequence[str],
    findings: Sequence[Diagnostic] = (),
    *,
    checked_at: float,
    count_calls: bool,
    timeout: float | None,
) -> tuple[Observation, Ended]:
    """Run `command`, tell what JAX did in it, and judge the findings. Raises ConfigError if it cannot be run.

    The findings are of files as they were at the time `checked_at`, in seconds since the epoch.
    """
    try:
        folder = tempfile.mkdtemp(prefix="jaxlint-verify-")
    except OSError as error:
        raise ConfigError(f"there is no folder for the records: {(error.strerror or str(error)).lower()}") from None
    try:
        wanted = watch_points(findings)
        if wanted:
            write_watch_list(wanted, folder, checked_at)
        notebooks = notebooks_of(command, findings)
        if notebooks:
            write_cells(notebooks, folder)
        running = instrumented_command(command, wanted, folder)
        ended = run_command(running, folder, count_calls=count_calls, timeout=timeout)
        logs = read_logs(folder)
        tallied = tally(logs)
        judged = judge_run(findings, wanted, tallied.histories)
        told = observation(tuple(command), ended, logs, tallied, judged)
        return replace(told, observed=observed_findings(tallied.histories, told.functions, findings)), ended
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def observation(
    command: tuple[str, ...],
    ended: Ended,
    logs: list[ProcessLog],
    tallied: Tally,
    judged: Sequence[JudgedFinding],
    *,
    running: int = 0,
) -> Observation:
    """What the logs of a run tell. The process `running` has not ended yet, and need not have said so."""
    problems = tuple(_problems(ended, logs, tallied, running))
    return Observation(
        command=command,
        ended=ended.words,
        runtime=runtime(tallied, logs),
        complete=not problems,
        functions=tuple(tallied.function_counts()),
        eager=tuple(tallied.eager_lines()),
        findings=tuple(judged),
        problems=problems,
        processes=len(logs),
        raised=dict(tallied.raised),
        seconds=ended.seconds,
        announced=tallied.announced,
        counted=tallied.counted,
    )


def _problems(ended: Ended, logs: list[ProcessLog], tallied: Tally, running: int) -> Iterator[str]:
    """Why records may be missing."""
    if ended.timed_out or ended.signal is not None:
        yield f"the program was {ended.words}" if ended.timed_out else f"the program was {ended.words} before its end"
    if not logs:
        yield (
            "no Python process was observed: the command runs none, or one that is older than 3.10, or runs Python "
            "with -I, -E or -S, which leave the observer out"
        )
    for number, log in enumerate(logs):
        if not log.stopped and log.pid != running and (number == 0 or (log.used_jax and not log.began.get("worker"))):
            yield f"process {log.pid} left no final record: its counts may be too low"
    for pid, (announced, counted) in tallied.uncounted.items():
        yield f"process {pid}: JAX announced {plural(announced, 'compilation')}, and {counted} were counted"
    for history in tallied.histories:
        names = sorted({run.entry.function[2] for run in history.open_runs})
        if names:
            yield f"process {history.log.pid} ended inside the trace of {', '.join(names[:3])}"
    if tallied.faults:
        what, count = tallied.faults.most_common(1)[0]
        all_of_them = plural(sum(tallied.faults.values()), "time")
        yield f"the observer failed {all_of_them}, most often {plural(count, 'time')} in {what}"
