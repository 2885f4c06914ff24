#!/usr/bin/env python3
"""How checks grow with files and with the length of one file, beside other tools: a table and two plots.

Generated projects, as in `speed.py`. Each tool runs once on each size, from the smallest up. A size on which it would
take more than `--most` CPU seconds, by what the one before took, is left out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import corpus_findings
import log_plot
import measure
import rechecks
import speed

FILES = (100, 300, 1_000, 3_000, 10_000)
LINES = (100, 1_000, 10_000, 50_000, 200_000)
#: Tool, size, CPU seconds, wall seconds, MiB.
Row = tuple[str, int, float, float, float]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, nargs="*", default=FILES)
    parser.add_argument("--lines", type=int, nargs="*", default=LINES)
    parser.add_argument("--most", type=float, default=120, help="CPU seconds of one run (default: %(default)s)")
    parser.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    parser.add_argument("--plots", type=Path, help="the folder that gets growth-files.svg and growth-lines.svg")
    options = parser.parse_args()
    print(measure.machine("jaxlint", "libcst", "ruff", "flake8", "pylint", "fixit"))
    for name, sizes, write in (("files", options.files, rechecks.many), ("lines", options.lines, rechecks.long)):
        rows = list(_measured(speed.tools(options.jaxlint, []), sizes, write, options.most))
        _print(name, sizes, rows)
        if options.plots and rows:
            picture = log_plot.svg(_curves(rows), "files of 15 lines" if name == "files" else "lines", "CPU seconds")
            (options.plots / f"growth-{name}.svg").write_text(picture, encoding="utf-8")
    return 0


def _measured(
    tools: dict[str, speed.Tool], sizes: list[int], write: Callable[[int, Path], None], most: float
) -> Iterator[Row]:
    before: dict[str, float] = {}  # CPU seconds for one file or line
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="jaxlint-growth-") as folder:
            write(size, Path(folder))
            for tool, run in tools.items():
                if before.get(tool, 0) * size <= most:
                    usage = run(Path(folder))
                    print(f"  {size} {tool} {usage.cpu_seconds:.2f}", file=sys.stderr)
                    yield tool, size, usage.cpu_seconds, usage.wall_seconds, usage.peak_mib
                    before[tool] = usage.cpu_seconds / size


def _curves(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """CPU seconds by size for each tool; what clocks do not tell from nothing is a hundredth."""
    tools = dict.fromkeys(row[0] for row in rows)
    return {tool: [(row[1], max(row[2], 0.01)) for row in rows if row[0] == tool] for tool in tools}


def _print(name: str, sizes: list[int], rows: list[Row]) -> None:
    for what, column in (("CPU seconds", 2), ("peak MiB", 4)):
        print(f"\n| {name} | {' | '.join(f'{size:,}' for size in sizes)} |\n|---|{'---|' * len(sizes)}")
        for tool in dict.fromkeys(row[0] for row in rows):
            found = {row[1]: row[column] for row in rows if row[0] == tool}
            cells = partial(_cell, found, 2 if column == 2 else 0)
            print(f"| {tool}, {what} | {' | '.join(map(cells, sizes))} |")


def _cell(found: dict[int, float], digits: int, size: int) -> str:
    return f"{found[size]:.{digits}f}" if size in found else "-"


if __name__ == "__main__":
    sys.exit(main())
