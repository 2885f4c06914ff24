"""Times the front end against the bare libcst parse of the same files: `python benchmarks/frontend.py`."""

from __future__ import annotations

import gc
import pickle
import random
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


def timed(work: Callable[[bytes], object], files: list[bytes]) -> float:
    """CPU seconds for all files; results die at once, and the collector is off."""
    gc.collect()
    gc.freeze()
    gc.disable()
    start = time.process_time()
    for data in files:
        work(data)
    seconds = time.process_time() - start
    gc.enable()
    gc.unfreeze()
    return seconds


def main() -> None:
    files = sample(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    lines = sum(data.count(b"\n") for data in files)
    results = [read("m.py", data, "m", False, want_positions=True) for data in files]
    sources = [x for x in results if isinstance(x, SourceFile)]
    dumps = iter(sources)
    runs: list[tuple[str, Callable[[bytes], object]]] = [
        ("bare libcst parse", lambda data: cst.parse_module(data.decode())),
        ("read, no positions", lambda data: read("m.py", data, "m", False, want_positions=False)),
        ("read, positions", lambda data: read("m.py", data, "m", False, want_positions=True)),
        ("pickle round trip", lambda _: pickle.loads(pickle.dumps(next(dumps), 5))),
    ]
    print(f"{len(files)} files, {lines} lines, seed {_SEED}")
    bare = 0.0
    for label, work in runs:
        seconds = timed(work, files)
        bare = bare or seconds
        print(f"{label:20} {seconds / lines * 1e6:7.1f} ms per 1000 lines   {seconds / bare:5.2f} x the bare parse")


if __name__ == "__main__":
    main()
