#!/usr/bin/env python3
"""Latency as a person in Neovim has it: from a letter typed to its diagnostics in the editor, without a display.

The statement, the places and the files are those of benchmarks/server.py. Neovim waits 150 ms for the next letter
before it tells a server anything, unless it is set otherwise; the table has both.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import corpus_findings
import measure
import server

_SCRIPT = Path(__file__).resolve().with_suffix(".lua")
_DEFAULT_WAIT = 150


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", type=int, default=2, help="in each file (default: %(default)s)")
    parser.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    options = parser.parse_args()
    if shutil.which("nvim") is None:
        print("neovim: nvim is not installed (Debian: apt install neovim)", file=sys.stderr)
        return 2
    command = [*shlex.split(options.jaxlint), "server"]
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    print(measure.machine("libcst", "pygls", "lsprotocol"), version)
    for wait in (0, _DEFAULT_WAIT):
        for size, names in server.MODULES.items():
            paths = list(server.installed(names))
            runs = [_typed(command, path, options.places, wait) for path in paths]
            opened, letters = [run[0] for run in runs], [each for run in runs for each in run[1:]]
            print(
                f"Neovim waits {wait:3} ms, files of about {size:4} lines: opened {statistics.median(opened):6.0f} ms; "
                f"letter median {statistics.median(letters):6.1f} ms, nine of ten within "
                f"{statistics.quantiles(letters, n=10)[-1]:6.1f} ms ({len(letters)} letters)"
            )
    return 0


def _typed(command: list[str], path: Path, places: int, wait: int) -> list[float]:
    """Milliseconds from opening to the first diagnostics, then those of each letter."""
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        file, report = Path(folder, path.name), Path(folder, "report")
        file.write_text(text, encoding="utf-8")
        variables = {
            "JAXLINT_FILE": str(file),
            "JAXLINT_COMMAND": json.dumps(command),
            "JAXLINT_LINES": json.dumps(list(server.typing_places(text.splitlines(), places))),
            "JAXLINT_DEBOUNCE": str(wait),
            "JAXLINT_REPORT": str(report),
        }
        editor = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {_SCRIPT}"]
        environment = {**os.environ, **variables}
        subprocess.run(editor, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        return [float(line) for line in report.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
