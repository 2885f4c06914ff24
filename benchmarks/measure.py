"""What one child process cost: processor time with its children's, wall time, and the largest process among them."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds of user and system time of a process and the children it waited for, and the peak of any one of them.

    `complaint` is the last line on its standard error.
    """

    cpu_seconds: float
    wall_seconds: float
    peak_mib: float
    status: int
    complaint: str = ""


def run(command: Sequence[str], folder: Path | None = None) -> Usage:
    """Run `command` to its end, its output dropped."""
    with tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=_environment()
        )
        # Not getrusage(RUSAGE_CHILDREN): wait4's peak is of this child and its descendants, not of all before it.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        errors.seek(0)
        complaint = errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
    return Usage(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, process.returncode, complaint)


def _environment() -> dict[str, str]:
    """The caller's, but Python may keep what it compiles: an installed tool has its bytecode beside it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, least and greatest of repeated measurements."""

    median: float
    least: float
    greatest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of at least one value."""
        return cls(statistics.median(values), min(values), max(values))


def machine(*distributions: str) -> str:
    """The machine and the versions that a figure holds for, on one line."""
    versions = " ".join(f"{name} {_version(name)}" for name in distributions)
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}, {sys.platform}; {versions}"
    )


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def script(name: str) -> list[str]:
    """The command `name` that is installed beside this interpreter."""
    path = Path(sys.executable).with_name(name)
    if not path.is_file():
        sys.exit(f"benchmark: no `{name}` beside {sys.executable}: install it there with pip")
    return [str(path)]
