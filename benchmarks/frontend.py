"""Times the front end against the bare libcst parse of the same files: `frontend.py [FILES] [ROUNDS]`."""

from __future__ import annotations

import gc
import pickle
import random
import statistics
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import libcst as cst

from jaxlint.syntax.source import SourceFile, read

_SEED = 7


def sample(count: int) -> list[bytes]:
    site = Path(sysconfig.get_paths()["purelib"])
    found = (path for name in ("jax", "flax") for path in (site / name).rglob("*.py"))
    files = sorted(path for path in found if path.stat().st_size > 500)
    return [path.read_bytes() for path in random.Random(_SEED).sample(files, min(count, len(files)))]


def timed(work: Callable[[bytes], object], data: bytes) -> float:
    """CPU seconds for one file; the result dies at once."""
    start = time.process_time()
    work(data)
    return time.process_time() - start


def dump(data: bytes) -> Callable[[bytes], object]:
    source = read("m.py", data, "m", False, want_positions=True)
    assert isinstance(source, SourceFile)
    return lambda _: pickle.loads(pickle.dumps(source, 5))


def measure(files: list[bytes]) -> dict[str, float]:
    """CPU seconds for all files. The ways take turns on each file, so that they share the machine's moods."""
    seconds: dict[str, float] = {}
    for data in files:
        ways: dict[str, Callable[[bytes], object]] = {
            "bare libcst parse": lambda data: cst.parse_module(data.decode()),
            "read, no positions": lambda data: read("m.py", data, "m", False, want_positions=False),
            "read, positions": lambda data: read("m.py", data, "m", False, want_positions=True),
            "pickle round trip": dump(data),
        }
        for label, work in ways.items():
            seconds[label] = seconds.get(label, 0.0) + timed(work, data)
    return seconds


def main() -> None:
    files = sample(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    lines = sum(data.count(b"\n") for data in files)
    gc.disable()
    rounds = [measure(files) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 3)]
    print(f"{len(files)} files, {lines} lines, seed {_SEED}, {len(rounds)} rounds: medians")
    for label in rounds[0]:
        cost = statistics.median(seconds[label] / lines * 1e6 for seconds in rounds)
        ratios = sorted(seconds[label] / seconds["bare libcst parse"] for seconds in rounds)
        print(f"{label:20} {cost:7.1f} ms per 1000 lines   {statistics.median(ratios):5.2f} x the bare parse"
              f"   ({ratios[0]:.2f} to {ratios[-1]:.2f})")  # fmt: skip


if __name__ == "__main__":
    main()
