#!/usr/bin/env python3
"""User CPU seconds of `jaxlint check -j1`, pure and compiled, in turns with a bare parse; both must report the same.

    scripts/check_compiled --folder build/compiled --collect-only -q
    python benchmarks/compiled.py --compiled build/compiled benchmarks/corpus/optax benchmarks/corpus/flax

Exits with 1 where a report differs in any byte.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import corpus_files
import measure

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = ["--isolated", "--no-cache", "-j1", "--preview", "--min-confidence", "possible", "--output-format", "json"]
PARSE = """
import sys, libcst
for name in sys.stdin.read().split("\\0"):
    try:
        libcst.parse_module(open(name, "rb").read())
    except Exception:
        pass
"""


@dataclass
class Turns:
    """What one folder cost in each turn, and whether all reports were equal."""

    pure: list[float] = field(default_factory=list)
    compiled: list[float] = field(default_factory=list)
    parsed: list[float] = field(default_factory=list)
    reports: set[bytes] = field(default_factory=set)


def spent(command: Sequence[str], folder: Path, path: Path | None = None, given: str = "") -> tuple[float, bytes]:
    """User seconds of a command and the processes that it waits for, and its output."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if path is not None:
        variables["PYTHONPATH"] = str(path)
    with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out:
        into.write(given.encode())
        into.seek(0)
        process = subprocess.Popen(command, cwd=folder, stdin=into, stdout=out, env=variables)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"compiled: {' '.join(command)} in {folder} ended with {process.returncode}")
        out.seek(0)
        return usage.ru_utime, out.read()


def measured(folder: Path, compiled: Path, repetitions: int) -> Turns:
    """All three, one after the other, as many times."""
    turns = Turns()
    names = "\0".join(map(str, corpus_files.python_files(folder)))
    check = [sys.executable, "-m", "jaxlint", "check", ".", *OPTIONS]
    for _ in range(repetitions):
        for path, seconds in ((ROOT, turns.pure), (compiled, turns.compiled)):
            cost, report = spent(check, folder, path)
            seconds.append(cost)
            turns.reports.add(report)
        turns.parsed.append(spent([sys.executable, "-c", PARSE], folder, given=names)[0])
    return turns


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--compiled", type=Path, required=True, help="what scripts/check_compiled --folder made")
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    print(measure.machine("libcst", "mypy"))
    print(f"{'':24} {'pure':>7} {'compiled':>9} {'faster':>7} {'parse':>7} {'pure/p':>7} {'comp/p':>7}")
    differ = []
    for folder in map(Path.resolve, options.folders):
        turns = measured(folder, options.compiled.resolve(), options.repetitions)
        pure, compiled, parsed = map(statistics.median, (turns.pure, turns.compiled, turns.parsed))
        print(
            f"{folder.name:24} {pure:7.2f} {compiled:9.2f} {pure / compiled:6.2f}x {parsed:7.2f} "
            f"{pure / parsed:7.2f} {compiled / parsed:7.2f}{'' if len(turns.reports) == 1 else '  DIFFERS'}",
            flush=True,
        )
        differ += [folder] if len(turns.reports) != 1 else []
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
