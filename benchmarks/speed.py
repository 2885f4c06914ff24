#!/usr/bin/env python3
"""Lines per CPU second of `jaxlint check` beside bare parses, ruff, flake8, pylint and Fixit, in turns on equal files.

Two sets of files: whole packages of the corpus drawn at random, and a dirty one in which every file has findings (the
labelled bad cases, repeated). A process's CPU seconds are user and system time, its children's too, start-up included;
of the bare parses only the parsing counts, not the interpreter's start or the import of libcst. Tools that are not
installed are left out. Then what a check costs after a change, and how it grows with files and with lines.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import corpus_files
import corpus_findings
import measure
import rechecks

CASES = corpus_files.HERE / "cases"
BASE = "libcst.parse_module"
PARSE = """
import ast, os, sys, libcst
files = [open(name, "rb").read() for name in sys.stdin.read().split("\\0")]
start = os.times()
for source in files:
    try:
        {parser}(source)
    except Exception:
        pass
end = os.times()
import resource
print(end.user + end.system - start.user - start.system, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One tool on one set of files: lines per CPU second, their ratio to the bare parse of that turn, peak memory."""

    tool: str
    lines_per_cpu_second: measure.Spread
    over_parse: measure.Spread
    wall_seconds: float
    peak_mib: float


Tool = Callable[[Path], measure.Usage]
#: Tools that take so long that one turn must do.
SLOW = ("pylint -j1", "fixit lint")


def _parse(parser: str) -> Tool:
    code = PARSE.format(parser=parser)

    def tool(folder: Path) -> measure.Usage:
        names = "\0".join(map(str, corpus_files.python_files(folder)))
        process = subprocess.run([sys.executable, "-c", code], input=names, capture_output=True, text=True, check=True)
        cpu, peak = map(float, process.stdout.split())
        return measure.Usage(cpu, cpu, peak, 0)

    return tool


def _command(*words: str, any_status: bool = False) -> Tool:
    def tool(folder: Path) -> measure.Usage:
        usage = measure.run([*_beside(words), "."], folder)
        if usage.status not in (0, 1) and not any_status:
            sys.exit(f"speed: `{' '.join(words)}` ended with {usage.status}: {usage.complaint}")
        return usage

    return tool


def tools(jaxlint: str, options: list[str]) -> dict[str, Tool]:
    check = [*_check(jaxlint, options), "--no-cache"]
    return {
        BASE: _parse(BASE),
        "ast.parse": _parse("ast.parse"),
        "jaxlint check -j1": _command(*check, "-j1"),
        "jaxlint check -j2": _command(*check, "-j2"),
        **_others(),
    }


def _beside(words: Sequence[str]) -> list[str]:
    """A command; a tool by its name alone is the one beside this interpreter."""
    beside = Path(sys.executable).parent / words[0]
    return [str(beside), *words[1:]] if beside.is_file() else list(words)


def _check(jaxlint: str, options: list[str]) -> list[str]:
    check = [*shlex.split(jaxlint), "check", "--isolated", "--output-format", "json", *options]
    return [*check, "--extend-exclude", "*.ipynb"]  # the others read none


def _others() -> dict[str, Tool]:
    """The other tools that are installed beside this interpreter, each in one process, ruff in as many as it likes."""
    others = {
        "ruff check": _command("ruff", "check", "--isolated", "--no-cache", "--quiet"),
        "flake8 -j1": _command("flake8", "--isolated", "-j1"),
        "pylint -j1": _command("pylint", "-j1", "--recursive=y", "--rcfile=/dev/null", any_status=True),  # a bit mask
        "fixit lint": _command("fixit", "lint", any_status=True),
    }
    return {name: tool for name, tool in others.items() if Path(sys.executable).with_name(name.split()[0]).is_file()}


def measured(tools: dict[str, Tool], folder: Path, repetitions: int) -> list[Row]:
    """Every tool once a turn, `repetitions` turns, each of which starts with another tool."""
    lines = sum(path.read_bytes().count(b"\n") for path in corpus_files.python_files(folder))
    usages: dict[str, list[measure.Usage]] = {name: [] for name in tools}
    names = list(tools)
    for turn in range(repetitions):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            if turn == 0 or name not in SLOW:
                usages[name].append(tools[name](folder))
    rates = {name: [lines / usage.cpu_seconds for usage in used] for name, used in usages.items()}
    return [_row(name, rates[name], rates[BASE], usages[name]) for name in names]


def _row(name: str, rates: list[float], base: list[float], usages: list[measure.Usage]) -> Row:
    return Row(
        tool=name,
        lines_per_cpu_second=measure.Spread.of(rates),
        over_parse=measure.Spread.of([rate / other for rate, other in zip(rates, base, strict=False)]),
        wall_seconds=measure.Spread.of([usage.wall_seconds for usage in usages]).median,
        peak_mib=max(usage.peak_mib for usage in usages),
    )


def copy_packages(source: Path, target: Path, *, seed: int, lines: int) -> list[str]:
    """Copy whole packages, in random order, as long as they fit in `lines` (0: all); returns their names."""
    packages = corpus_files.packages(source)
    random.Random(seed).shuffle(packages)
    taken = []
    for package in packages:
        if lines and package.lines > lines:
            continue
        lines = lines and lines - package.lines
        shutil.copytree(package.folder, target / package.name, ignore=shutil.ignore_patterns(".git*"))
        taken.append(package.name)
    return sorted(taken)


def copy_dirty(target: Path, files: int) -> None:
    """`files` copies of the labelled bad cases, in turn, under names that say nothing."""
    cases = sorted(CASES.glob("*_bad.py"))
    target.mkdir(parents=True)
    for number in range(files):
        shutil.copyfile(cases[number % len(cases)], target / f"dirty_{number:05}.py")


def _print(title: str, folder: Path, rows: list[Row]) -> None:
    files = corpus_files.python_files(folder)
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    print(f"\n{title}: {len(files)} files, {lines} lines")
    print(f"{'':24} lines/CPU s  (least to greatest)  x parse         (spread)  wall s  peak MiB")
    for row in rows:
        rate, ratio = row.lines_per_cpu_second, row.over_parse
        rates = f"({rate.least:.0f} to {rate.greatest:.0f})"
        ratios = f"({ratio.least:.2f} to {ratio.greatest:.2f})"
        print(
            f"{row.tool:24} {rate.median:11.0f} {rates:>20} {ratio.median:8.2f} {ratios:>16} "
            f"{row.wall_seconds:7.2f} {row.peak_mib:9.0f}"
        )


def _print_costs(costs: list[rechecks.Cost]) -> None:
    print(f"\n{'':72} CPU s  wall s  peak MiB")
    for cost in costs:
        print(f"{cost.what:72} {cost.usage.cpu_seconds:5.2f} {cost.usage.wall_seconds:7.2f} {cost.usage.peak_mib:9.0f}")


def main() -> int:
    options = _options()
    chosen = tools(options.jaxlint, options.option)
    print(measure.machine("jaxlint", "libcst", "ruff", "flake8", "pylint", "fixit"))
    document: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="jaxlint-speed-") as scratch:
        corpus, dirty = Path(scratch, "corpus"), Path(scratch, "dirty")
        names = copy_packages(options.folder, corpus, seed=options.seed, lines=options.lines)
        copy_dirty(dirty, options.dirty_files)
        for title, folder in ((f"corpus (seed {options.seed}: {', '.join(names)})", corpus), ("dirty", dirty)):
            rows = measured(chosen, folder, options.repetitions)
            _print(title, folder, rows)
            document[folder.name] = [asdict(row) for row in rows]
        costs = list(rechecks.after_changes(_check(options.jaxlint, options.option), corpus))
        costs += rechecks.growth(_check(options.jaxlint, options.option), Path(scratch), options.steps)
        _print_costs(costs)
        document["costs"] = [asdict(cost) for cost in costs]
    if options.output:
        options.output.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=corpus_files.FOLDER, help="the corpus (default: %(default)s)")
    parser.add_argument("--lines", type=int, default=60_000, help="lines of the corpus to take; 0 for all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--dirty-files", type=int, default=2500, help="the default has as many lines as the corpus sample"
    )
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--steps", type=int, default=3, help="of growth, each ten times the one before")
    parser.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    parser.add_argument("--option", action="append", default=[], help="a further option of `check`")
    parser.add_argument("--output", type=Path, help="JSON of the same figures")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
