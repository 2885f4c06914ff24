#!/usr/bin/env python3
"""Fix the mistakes of labelled cases and run what comes out on JAX.

usage: fixes.py [--jaxlint CMD] [--verbose] [--keep FOLDER] [--min-fixed F] [--min-passed F] [CASES]

Each `*_bad.py` file is fixed with `--fix --unsafe-fixes`; where that changes the code above its self-check (`demo_line`
of `index.tsv`), the self-check of the corrected twin is put under the fixed code and `demonstrate()` is run, in a
process of its own. In a folder without `index.tsv`, such as `programs/`, each file is a script that fails as it is;
what stands under the line `# --- what it should do` must hold once it is fixed.

Told are the share of findings that have a safe fix and any fix, the share of files that get a fix, the share of those
that pass, and the same for files that `--fix` alone changes as much: what is marked safe must pass. A file passes if it
runs, and if fixing has left no finding that it had a fix for and has made none.

A file may hold a second mistake that is reported and has no fix, or no safe one, here or in its self-check. If it fails
while that mistake is still there, its failure says nothing of the fixes: it is told apart, as open, and counts neither
as passed nor as failed. Exit status 1 when a bound is not met or a safe fix fails.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 120  # for one case
RUN = "import case; getattr(case, 'demonstrate', int)()"
MARK = "# --- what it should do"


@dataclass(frozen=True)
class Case:
    """A bad file and its twin, each with the line (from 1) at which its self-check starts."""

    bad: Path
    bad_demo: int
    good: Path
    good_demo: int


@dataclass(frozen=True)
class Verdict:
    """What became of one case: was it changed, by safe fixes alone, and the error where it fails ("" if it passes).

    `open` are the rules that still report a mistake without a fix in a case that fails.
    """

    name: str
    is_fixed: bool
    is_safe: bool = False
    error: str = ""
    open: str = ""


def cases(folder: Path) -> Iterator[Case]:
    """The bad files of the folder that have a corrected twin, or its scripts, each its own twin."""
    if not (folder / "index.tsv").exists():
        for script in sorted(folder.glob("*.py")):
            line = script.read_text().splitlines().index(MARK) + 1
            yield Case(script, line, script, line)
        return
    with (folder / "index.tsv").open() as file:
        rows = {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}
    for name, row in sorted(rows.items()):
        twin = name.replace("_bad.py", "_good.py")
        if row["kind"] == "bad" and twin in rows:
            yield Case(folder / name, int(row["demo_line"]), folder / twin, int(rows[twin]["demo_line"]))


def fixed(command: str, found: list[Case], target: Path, options: list[str]) -> dict[str, str]:
    """The code of each case, by its name, after `jaxlint check` with these options."""
    target.mkdir()
    for case in found:
        shutil.copy(case.bad, target / case.bad.name)
    arguments = [*shlex.split(command), "check", "--isolated", "--no-cache", "--fix-only", *options, str(target)]
    run = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"fixes: jaxlint ended with {run.returncode}: {run.stderr[-2000:]}")
    return {case.bad.name: (target / case.bad.name).read_text() for case in found}


def above(code: str, case: Case) -> str:
    """The code above the self-check, which may have moved."""
    mark = case.bad.read_text().splitlines()[case.bad_demo - 1]
    lines = code.splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if line.rstrip("\r\n") == mark]
    return "".join(lines[: places[-1]] if places else lines)


def failure(code: str, case: Case) -> str:
    """Run the twin's self-check under the code; the last line of the error, "" where it passes."""
    lines = case.good.read_text().splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "case.py").write_text(code + "".join(lines[case.good_demo - 1 :]))
        environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": folder}
        run = [sys.executable, "-W", "ignore", "-c", RUN]
        try:
            done = subprocess.run(
                run, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return f"still running after {SECONDS} s"
    return "" if done.returncode == 0 else complaint(done.stderr)


def complaint(text: str) -> str:
    """The line of a traceback that names the last exception."""
    named = [line for line in text.splitlines() if re.match(r"[\w.]+(Error|Exception)\b", line)]
    return named[-1] if named else "no message"


def findings(command: str, found: list[Case], folder: Path, *, own_checks: bool = False) -> dict[str, list[Any]]:
    """The findings above the self-check of each case, by its name, in the file of that name in the folder.

    With `own_checks`, those in the self-check as well, of scripts that are their own twins.
    """
    files = [str(folder / case.bad.name) for case in found]
    arguments = [*shlex.split(command), "check", "--isolated", "--no-cache", "--output-format", "json", *files]
    run = subprocess.run(arguments, capture_output=True, text=True, check=False)
    told: dict[str, list[Any]] = {case.bad.name: [] for case in found}
    ends = {case.bad.name: above((folder / case.bad.name).read_text(), case).count("\n") for case in found}
    if own_checks:
        ends |= {case.bad.name: sys.maxsize for case in found if case.good == case.bad}
    for finding in json.loads(run.stdout)["diagnostics"]:
        name = Path(finding["path"]).name
        if finding["line"] <= ends[name]:
            told[name].append(finding)
    return told


def means(finding: Any) -> str:
    """How far the fix of a finding goes; "" where it has none."""
    return str(finding["fix"]["applicability"]) if finding["fix"] else ""


def unsettled(before: list[Any], after: list[Any]) -> str:
    """Which findings were fixed and are still there, or are new; "" where there are none."""
    left = Counter(finding["rule"] for finding in before if means(finding) in ("", "display-only"))
    more = Counter(finding["rule"] for finding in after) - left
    return f"reported once it is fixed: {', '.join(sorted(more))}" if more else ""


def judge(case: Case, all_fixes: str, safe_fixes: str, unsettled: str, left: list[Any]) -> Verdict:
    """Fixed or not, and what JAX says, or else the linter; `left` are the findings of the fixed file."""
    code = above(all_fixes, case)
    if code == above(case.bad.read_text(), case):
        return Verdict(case.bad.name, False)
    is_safe, error = above(safe_fixes, case) == code, failure(code, case)
    if error and not unsettled and left:
        return Verdict(case.bad.name, True, is_safe, error, ", ".join(sorted({finding["rule"] for finding in left})))
    return Verdict(case.bad.name, True, is_safe, error or unsettled)


def tell_findings(told: dict[str, list[Any]], *, verbose: bool) -> None:
    """How many findings have a fix, safe or any; with `verbose`, by rule."""
    every = [finding for name in told for finding in told[name]]
    by_rule = Counter((finding["rule"], means(finding)) for finding in every)
    kinds = ("safe", "unsafe", "display-only", "")
    if verbose:
        for rule in sorted({rule for rule, _ in by_rule}):
            print(f"{rule}: " + ", ".join(f"{by_rule[rule, kind]} {kind or 'no fix'}" for kind in kinds))
    safe, unsafe = (sum(means(finding) == kind for finding in every) for kind in kinds[:2])
    total = max(len(every), 1)
    print(f"{safe} of {len(every)} findings have a safe fix ({safe / total:.0%}),")
    print(f"{safe + unsafe} any ({(safe + unsafe) / total:.0%});")


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="?", default=Path(__file__).parent / "cases", type=Path)
    parser.add_argument("--jaxlint", default=f"{sys.executable} -m jaxlint")
    parser.add_argument("--verbose", action="store_true", help="name each case that is fixed, and how it fails")
    parser.add_argument("--keep", type=Path, help="write the fixed files to this folder")
    parser.add_argument("--min-fixed", type=float, default=0.25)
    parser.add_argument("--min-passed", type=float, default=0.9)
    return parser.parse_args()


def main() -> int:
    """Fix, run, tell."""
    asked = options()
    found = list(cases(asked.cases.resolve()))
    with tempfile.TemporaryDirectory() as folder:
        every = fixed(asked.jaxlint, found, Path(folder, "unsafe"), ["--fix", "--unsafe-fixes"])
        safe = fixed(asked.jaxlint, found, Path(folder, "safe"), ["--fix"])
        told = findings(asked.jaxlint, found, asked.cases.resolve())
        after = findings(asked.jaxlint, found, Path(folder, "unsafe"))
        left = findings(asked.jaxlint, found, Path(folder, "unsafe"), own_checks=True)
        if asked.keep:
            shutil.copytree(Path(folder, "unsafe"), asked.keep, dirs_exist_ok=True)
    verdicts = []
    for case in found:
        name = case.bad.name
        verdicts.append(judge(case, every[name], safe[name], unsettled(told[name], after[name]), left[name]))
    changed = [verdict for verdict in verdicts if verdict.is_fixed]
    if asked.verbose:
        for verdict in changed:
            still = f"open ({verdict.open}): " if verdict.open else ""
            print(f"{'safe  ' if verdict.is_safe else 'unsafe'} {verdict.name}: {still}{verdict.error or 'passes'}")
    tell_findings(told, verbose=asked.verbose)
    print(f"{len(changed)} of {len(verdicts)} bad files get a fix ({len(changed) / max(len(verdicts), 1):.0%}),")
    enough = len(changed) >= asked.min_fixed * len(verdicts)
    return 0 if tell_passed(changed, asked.min_passed) and enough else 1


def tell_passed(changed: list[Verdict], bound: float) -> bool:
    """How many of the changed files pass; whether that is enough, and all that have only safe fixes do."""
    judged = [verdict for verdict in changed if not verdict.open]
    passed = sum(not verdict.error for verdict in judged)
    safely = [verdict for verdict in judged if verdict.is_safe]
    safely_passed = sum(not verdict.error for verdict in safely)
    print(f"{len(changed) - len(judged)} of them hold another mistake that is reported and has no fix, and fail;")
    print(f"{passed} of the other {len(judged)} pass ({passed / max(len(judged), 1):.0%}),")
    print(f"{safely_passed} of {len(safely)} with safe fixes alone")
    return passed >= bound * len(judged) and safely_passed == len(safely)


if __name__ == "__main__":
    sys.exit(main())
