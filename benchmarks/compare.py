#!/usr/bin/env python3
"""What other tools find in the labelled cases: linters by their reports, JAX and its debugging flags by exceptions.

    pip install ruff pylint torchfix
    python benchmarks/compare.py [FOLDER]

A linter finds a mistake if it reports a marked line with a rule that is about the mistake (`ABOUT`). JAX, with or
without a flag, finds it if an exception passes through the case's own code, above its self-check, when that runs. Any
such report or exception in a corrected or clean file is an alarm. Both are counted by file.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

CASES: Final = Path(__file__).resolve().parent / "cases"
MARK: Final = re.compile(r"# expect: ([a-z0-9-]+)")
#: Rules of other linters that are about a mistake of JAX code, wherever they report it.
ABOUT: Final = {
    "T201": {"print-in-traced-code"},
    "NPY002": {"host-rng-in-traced-code"},
    "B023": {"jit-in-loop", "leaked-tracer"},
    "PLW0603": {"global-mutation", "leaked-tracer"},
    "global-statement": {"global-mutation", "leaked-tracer"},
    "cell-var-from-loop": {"jit-in-loop", "leaked-tracer"},
}
#: Each with the value that makes it strict.
FLAGS: Final = {
    "jax_debug_key_reuse": True,
    "jax_check_tracer_leaks": True,
    "jax_debug_nans": True,
    "jax_numpy_rank_promotion": "raise",
    "jax_numpy_dtype_promotion": "strict",
    "jax_transfer_guard": "disallow",
}


class Case(NamedTuple):
    """A labelled file: its kind (bad, good or clean), its marks by line, and where its self-check begins."""

    path: Path
    kind: str
    marks: dict[int, set[str]]
    demo: int


class Report(NamedTuple):
    """What a linter says: the file's name, the line and the rule."""

    name: str
    line: int
    rule: str


def cases(folder: Path) -> list[Case]:
    """The labelled files of a folder, in the order of its index."""
    found = []
    with (folder / "index.tsv").open(encoding="utf-8") as index:
        for row in csv.DictReader(index, delimiter="\t"):
            path = folder / row["file"]
            lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
            marks = {number: set(MARK.findall(line)) for number, line in lines if MARK.search(line)}
            found.append(Case(path, row["kind"], marks, int(row["demo_line"] or 10**9)))
    return found


def equivalents(folder: Path) -> dict[str, set[str]]:
    """The rules that mean the same finding, by each of them."""
    same: dict[str, set[str]] = {}
    for line in (folder / "equivalents.txt").read_text(encoding="utf-8").splitlines():
        for slug in [] if line.startswith("#") else line.split():
            same.setdefault(slug, {slug}).update(line.split())
    return same


# --- linters


def jaxlint(files: Sequence[str]) -> Iterator[Report]:
    """jaxlint with its default rules."""
    found = output("jaxlint", "check", "--isolated", "--no-cache", "--output-format", "json", *files)
    for each in json.loads(found)["diagnostics"]:
        yield from (
            Report(Path(each["path"]).name, line, each["rule"]) for line in range(each["line"], each["end_line"] + 1)
        )


def ruff(*options: str) -> Callable[[Sequence[str]], Iterator[Report]]:
    """ruff with these options."""

    def reports(files: Sequence[str]) -> Iterator[Report]:
        found = output("ruff", "check", "--isolated", "--no-cache", "--output-format", "json", *options, *files)
        return (
            Report(Path(each["filename"]).name, each["location"]["row"], each["code"] or "")
            for each in json.loads(found)
        )

    return reports


def pylint(files: Sequence[str]) -> Iterator[Report]:
    """pylint with all its messages."""
    found = output("pylint", "--rcfile=", "--enable=all", "-f", "json2", *files)
    for each in json.loads(found)["messages"]:
        yield Report(Path(each["absolutePath"]).name, each["line"], each["symbol"])


def torchfix(files: Sequence[str]) -> Iterator[Report]:
    """TorchFix with all its rules."""
    for line in output("torchfix", "--select", "ALL", *files).splitlines():
        if found := re.match(r"(?P<path>.+?):(?P<line>\d+):\d+: (?P<rule>TOR\d+)", line):
            yield Report(Path(found["path"]).name, int(found["line"]), found["rule"])


LINTERS: Final = {
    "jaxlint": jaxlint,
    "ruff, default rules": ruff(),
    "ruff, all rules": ruff("--select", "ALL"),
    "pylint, all messages": pylint,
    "TorchFix, all rules": torchfix,
}


def output(command: str, *arguments: str) -> str:
    """What a command prints, whatever its exit code."""
    beside = Path(sys.executable).parent / command
    path = str(beside) if beside.is_file() else shutil.which(command)
    if path is None:
        raise FileNotFoundError(command)
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=False).stdout


def is_about(report: Report, mark: str, same: dict[str, set[str]]) -> bool:
    """Whether a report means what the mark says."""
    return report.rule in same.get(mark, {mark}) or mark in ABOUT.get(report.rule, set())


def linted(reports: Iterable[Report], known: Sequence[Case], same: dict[str, set[str]]) -> tuple[int, int, int]:
    """How many bad files have a marked line with any report, with one about the mistake; how many others an alarm."""
    by_name: dict[str, list[Report]] = {}
    for report in reports:
        by_name.setdefault(report.name, []).append(report)
    any_report, about, alarms = 0, 0, 0
    for case in known:
        here = [each for each in by_name.get(case.path.name, []) if each.line < case.demo]
        if case.kind != "bad":
            alarms += any(each.rule in ABOUT or each.rule in same or each.rule.startswith("TOR") for each in here)
            continue
        pairs = [(each, mark) for each in here for mark in case.marks.get(each.line, ())]
        any_report += bool(pairs)
        about += any(is_about(each, mark, same) for each, mark in pairs)
    return any_report, about, alarms


# --- JAX


def raises(case: Case, flag: str | None) -> bool:
    """Whether an exception passes through the case's own code, above its self-check, with a flag on."""
    child = os.fork()
    if child == 0:
        os._exit(_watched(case, flag))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def _watched(case: Case, flag: str | None) -> int:
    import jax

    warnings.simplefilter("ignore")
    os.chdir(tempfile.mkdtemp())
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    seen = False

    def local(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal seen
        if event == "exception" and frame.f_lineno < case.demo:
            seen = True
        return local

    def follow(frame: FrameType, _event: str, _argument: Any) -> Any:
        return local if frame.f_code.co_filename == str(case.path) else None

    if flag is not None:
        jax.config.update(flag, FLAGS[flag])
    sys.settrace(follow)
    try:
        spec = importlib.util.spec_from_file_location("case", case.path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules["case"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.demonstrate()
    except BaseException:  # a flag may end the self-check anywhere
        pass
    sys.settrace(None)
    return int(seen)


def main() -> None:
    """Print both tables."""
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else CASES
    known, same = cases(folder), equivalents(folder)
    bad = [case for case in known if case.kind == "bad"]
    files = [str(case.path) for case in known]
    others = len(known) - len(bad)
    print(f"| linter | of {len(bad)} files: the mistake | anything on its line | alarms in {others} files |")
    print("|---|---|---|---|")
    for name, reports in LINTERS.items():
        try:
            any_report, about, alarms = linted(reports(files), known, same)
        except FileNotFoundError as error:
            print(f"| {name} | not installed: {error} | | |")
            continue
        print(f"| {name} | {about} | {any_report} | {alarms} |", flush=True)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax  # noqa: F401 - imported once; each case runs in a forked child, so that backends start there

    print(f"\n| run | of {len(bad)} files: raises | only with the flag | alarms in {others} files |")
    print("|---|---|---|---|")
    alone = {case.path for case in known if raises(case, None)}
    for flag in (None, *FLAGS):
        found = alone if flag is None else {case.path for case in known if raises(case, flag)}
        wrong = sum(case.path in found for case in known if case.kind != "bad")
        hit = {case.path for case in bad if case.path in found}
        print(f"| {flag or 'JAX alone'} | {len(hit)} | {len(hit - alone)} | {wrong} |", flush=True)


if __name__ == "__main__":
    main()
