#!/usr/bin/env python3
"""Time of `jaxlint version` against `python -c "import click"`, run in turns."""

from __future__ import annotations

import argparse
import shlex
import sys

import corpus_findings
import measure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    options = parser.parse_args()
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import click'": [sys.executable, "-c", "import click"],
        "jaxlint version": [*shlex.split(options.jaxlint), "version"],
    }
    walls: dict[str, list[float]] = {name: [] for name in commands}
    for repetition in range(options.repetitions + 1):
        for name, command in commands.items():
            usage = measure.run(command)
            if usage.status:
                sys.exit(f"startup: `{name}` ended with {usage.status}: {usage.complaint}")
            if repetition:  # the first round fills the page cache
                walls[name].append(usage.wall_seconds)
    print(measure.machine("click"))
    for name, values in walls.items():
        spread = measure.Spread.of(values)
        print(f"{name:26} {spread.median * 1e3:7.1f} ms  ({spread.least * 1e3:.1f} to {spread.greatest * 1e3:.1f})")
    ratio = _paired(walls["jaxlint version"], walls["python -c 'import click'"])
    print(f"jaxlint version / import click: {ratio.median:.2f}  ({ratio.least:.2f} to {ratio.greatest:.2f})")
    return 0


def _paired(values: list[float], against: list[float]) -> measure.Spread:
    return measure.Spread.of([value / other for value, other in zip(values, against, strict=True)])


if __name__ == "__main__":
    sys.exit(main())
