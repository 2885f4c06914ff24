"""Runs the user's command as it stands: same terminal, same output, same exit code, with the observer on its path."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from jaxlint.config.errors import ConfigError

INJECTED: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "injected")
#: Seconds between asking a process that ran too long to stop, and killing it.
GRACE: Final = 5.0
_FORWARDED: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@dataclass(frozen=True, slots=True)
class Ended:
    """How the command ended. `code` is as a shell gives it: 128 and the number of the signal that ended it."""

    code: int
    words: str
    timed_out: bool
    signal: int | None
    seconds: float


def run_command(command: Sequence[str], folder: str, *, count_calls: bool, timeout: float | None) -> Ended:
    """Run `command` with records going to `folder`. `timeout` is in seconds. Raises ConfigError if it cannot start."""
    environment = observing(os.environ, folder, count_calls=count_calls)
    started = time.monotonic()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        process = subprocess.Popen(list(command), env=environment)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"cannot be run: {reason[:1].lower()}{reason[1:]}", command[0]) from None
    with _signals_for(process):
        timed_out = _wait(process, timeout)
    return _ended(process.returncode, timed_out, timeout, time.monotonic() - started)


def observing(environment: Mapping[str, str], folder: str, *, count_calls: bool = False) -> dict[str, str]:
    """The environment in which every Python process records itself to `folder`."""
    path = os.pathsep.join(filter(None, (INJECTED, environment.get("PYTHONPATH"))))
    added = {"JAXLINT_OBSERVE": folder, "PYTHONPATH": path}
    if count_calls:
        added["JAXLINT_COUNT_CALLS"] = "1"
    return {**environment, **added}


def _wait(process: subprocess.Popen[bytes], timeout: float | None) -> bool:
    """Wait for the end; True where the time ran out and the command was stopped."""
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        _stop(process)
        return True
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask the command and what it started to end, then make them."""
    family = [process.pid, *descendants(process.pid)]
    _send(family, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    kill = getattr(signal, "SIGKILL", signal.SIGTERM)
    _send([pid for pid in {*family, *descendants(process.pid)} if pid != process.pid], kill)
    if process.poll() is None:
        process.kill()
        process.wait()


def _send(pids: Sequence[int], number: int) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, number)


def descendants(pid: int) -> list[int]:
    """The processes below `pid` as far as /proc shows them; none on systems without it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):  # it may end while it is looked at
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


@contextmanager
def _signals_for(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Leave the terminal's signals to the command, which gets them too, and pass on those that only we get."""

    def forward(number: int, _frame: FrameType | None) -> None:
        _send([process.pid], number)

    def from_terminal(number: int, frame: FrameType | None) -> None:
        if not _is_foreground():
            forward(number, frame)

    before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    try:
        for number in _FORWARDED:
            before[number] = signal.signal(number, forward)
        before[signal.SIGINT] = signal.signal(signal.SIGINT, from_terminal)
    except ValueError:  # not the main thread: signals are somebody else's
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_foreground() -> bool:
    """Whether a terminal sends its signals to this process and to the command alike."""
    try:
        with open("/dev/tty", "rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except (OSError, AttributeError):
        return False


def _ended(returncode: int, timed_out: bool, timeout: float | None, seconds: float) -> Ended:
    number = -returncode if returncode < 0 else None
    code = returncode if number is None else 128 + number
    words = f"exit code {code}" if number is None else f"killed by {_signal_name(number)}"
    if timed_out:
        words = f"stopped after {timeout:g} s"
    return Ended(code, words, timed_out, number, seconds)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
