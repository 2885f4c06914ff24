#!/usr/bin/env python3
"""Round trip: break updates and key splits of released packages, fix them, and run the packages' own tests."""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import corpus_files
import roundtrip_sites
from roundtrip_sites import Site

FOLDER = corpus_files.HERE / "roundtrip"
REQUIREMENTS = corpus_files.HERE / "roundtrip.txt"
#: Rules whose fixes undo the two ways in which sites are rewritten.
RULES = {
    "update": "in-place-item-assignment,in-place-augmented-assignment",
    "split": "key-reuse,key-reuse-in-loop,parent-key-after-split,discarded-key-update,fold-in-collision",
}
MARK = re.compile(r"[ \t]*# roundtrip (\d+)")
ROUNDS = 8

#: The sites of one file by number: the numbers are those of the marks.
Numbered = Mapping[int, Site]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the linter says of a rewritten file."""

    rule: str
    path: str
    line: int
    message: str
    fixable: bool


@dataclass(frozen=True, slots=True)
class Tests:
    """How the tests of a package ended, by name: passed, failed, error or skipped."""

    outcomes: Mapping[str, str]

    def of(self, test: str) -> str | None:
        """How a test ended; None where it did not run."""
        return self.outcomes.get(test)

    @property
    def counts(self) -> str:
        """How many ended how."""
        counted = Counter(self.outcomes.values())
        return ", ".join(f"{number} {outcome}" for outcome, number in sorted(counted.items()))


def main() -> int:
    options = _parser().parse_args()
    corpus_files.fetch(options.folder, REQUIREMENTS)
    names = frozenset(name for name in options.packages.split(",") if name)
    packages = corpus_files.packages(options.folder, names)
    return max(_package(package, options) for package in packages)


def _package(package: corpus_files.Package, options: argparse.Namespace) -> int:
    work = options.folder / ".work" / package.name
    found = {path: roundtrip_sites.sites(path.read_text("utf-8")) for path in corpus_files.python_files(package.folder)}
    total = Counter(site.kind for of_file in found.values() for site in of_file)
    kept = _settle(package.folder, work, {path: dict(enumerate(s)) for path, s in found.items() if s}, options)
    fixed = Counter(site.kind for of_file in kept.values() for site in of_file.values())
    for kind in RULES:
        print(f"{package.name}: {total[kind]} {kind}s, {fixed[kind]} of them rewritten, found and fixed", flush=True)
    if not kept or options.no_tests:
        return 0
    names = [str(path.relative_to(package.folder)) for path in _tests(package.folder, set(kept), options.all_tests)]
    before, after, late = _both_sides(package.folder, work, names, options)
    print(f"{package.name}: {len(names)} test files: {before.counts} as released; {after.counts} after the round trip")
    for name in late:
        print(f"    {name}: not finished in {options.limit} s, left out")
    changed = sorted(test for test in {*before.outcomes, *after.outcomes} if before.of(test) != after.of(test))
    by_draws = _with_other_draws(package.folder, kept, {test: after.of(test) for test in changed}, names, options)
    for test in changed:
        said = f"with draw {by_draws[test]} of others" if test in by_draws else "with no other draws"
        print(f"    {test}: {before.of(test)} -> {after.of(test)}; so it ends as released {said}")
    broken = len(by_draws) < len(changed)
    return 1 if broken or "passed" not in after.outcomes.values() else 0


def _with_other_draws(
    source: Path,
    sites: Mapping[Path, Numbered],
    ends: Mapping[str, str | None],
    names: list[str],
    options: argparse.Namespace,
) -> dict[str, int]:
    """The first other draw of the splits' keys, if any, with which a test of the released package ends in this way.

    Keys that are split otherwise give other numbers, which no fix can keep: not all tests stand all numbers.
    """
    work = options.folder / ".work" / f"{source.name}_redrawn"
    chosen = [name for name in names if any(test.startswith(_module(name)) for test in ends)]
    found: dict[str, int] = {}
    for number in range(1, options.draws + 1):
        left = sorted({test.rpartition(".")[2] for test in ends if test not in found})
        if not left:
            break
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(source, work)
        for path, numbered in sites.items():
            text = roundtrip_sites.redrawn(path.read_text("utf-8"), numbered.values(), number)
            (work / path.relative_to(source)).write_text(text, "utf-8")
        outcomes = _run_tests(work, [*chosen, "-k", " or ".join(left)], options)
        found |= {test: number for test, end in ends.items() if outcomes.of(test) == end and test not in found}
    return found


def _module(name: str) -> str:
    """The dotted name of a test file, as the report of the tests has it."""
    return name.removesuffix(".py").replace("/", ".") + "."


# --- rewriting and fixing


def _settle(source: Path, work: Path, sites: dict[Path, Numbered], options: argparse.Namespace) -> dict[Path, Numbered]:
    """Leave out the sites that the linter does not find or cannot fix whole, until all of them come back."""
    for _ in range(ROUNDS):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(source, work)
        for path, numbered in sites.items():
            (work / path.relative_to(source)).write_text(_marked(path.read_text("utf-8"), numbered), "utf-8")
        came_back = _fix(work, {path.relative_to(source): numbered for path, numbered in sites.items()}, options)
        settled = {
            p: {n: s for n, s in of.items() if (p.relative_to(source), n) in came_back} for p, of in sites.items()
        }
        if settled == sites:
            return sites
        for path, numbered in sites.items():
            for number in numbered.keys() - settled[path].keys():
                _say(options, f"    left out: {path.relative_to(source)}:{numbered[number].name}")
        sites = {path: numbered for path, numbered in settled.items() if numbered}
    sys.exit(f"roundtrip: the sites of {source.name} do not settle in {ROUNDS} rounds")


def _say(options: argparse.Namespace, line: str) -> None:
    if options.verbose:
        print(line, flush=True)


def _marked(text: str, numbered: Numbered) -> str:
    """The text with the sites rewritten, and a comment at each: fixes keep comments."""
    marked = []
    for number, site in numbered.items():
        start, end, new = site.edits[0]
        mark = f"# roundtrip {number}"
        if site.kind == "update":
            new, end = f"{new}  {mark}", text.index("\n", end)  # a comment behind the statement goes
        else:
            line = text[start:]
            new = f"{line[: len(line) - len(line.lstrip())]}{mark}\n"
        marked.append(Site(site.kind, site.line, site.end, site.function, ((start, end, new), *site.edits[1:])))
    return roundtrip_sites.rewritten(text, marked)


def _fix(work: Path, sites: Mapping[Path, Numbered], options: argparse.Namespace) -> set[tuple[Path, int]]:
    """Fix the rewritten files; give the sites that were found, and of which nothing is found afterwards."""
    broken, before = _texts(work, sites), _check(work, sites, options)
    _jaxlint(work, sites, options, "--fix", "--unsafe-fixes", "--fix-only")
    mended, after = _texts(work, sites), _check(work, sites, options)
    came_back = set()
    for path, numbered in sites.items():
        for number, site in numbered.items():
            was = _about(before, path, broken[path], number, site)
            left = _about(after, path, mended[path], number, site)
            if was and all(finding.fixable for finding in was) and not left:
                came_back.add((path, number))
    return came_back


def _texts(work: Path, sites: Mapping[Path, Numbered]) -> dict[Path, str]:
    return {path: (work / path).read_text("utf-8") for path in sites}


def _about(findings: list[Finding], path: Path, text: str, number: int, site: Site) -> list[Finding]:
    """The findings at a site: of its line for an update, in its function from its place on for a split."""
    lines = text.splitlines()
    mark = next((n for n, line in enumerate(lines, 1) if (m := MARK.search(line)) and int(m[1]) == number), 0)
    first, last = (mark, mark) if site.kind == "update" else (mark, _end_of_function(text, mark))
    if site.kind == "update":
        first = min((n.lineno for n in _statements(text) if n.lineno <= mark <= (n.end_lineno or 0)), default=mark)
    of_kind = RULES[site.kind].split(",")
    return [f for f in findings if f.path == str(path) and f.rule in of_kind and first <= f.line <= last]


def _statements(text: str) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Assign | ast.AugAssign))


def _end_of_function(text: str, line: int) -> int:
    around = [
        (node.lineno, node.end_lineno or 0)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(around, default=(0, line))[1]


def _check(work: Path, sites: Mapping[Path, Numbered], options: argparse.Namespace) -> list[Finding]:
    report = json.loads(_jaxlint(work, sites, options, "--output-format", "json"))
    return [
        Finding(
            found["rule"],
            os.path.normpath(found["path"]),
            found["line"],
            found["message"],
            found["fix"] is not None and found["fix"]["applicability"] != "display-only",
        )
        for found in report["diagnostics"]
    ]


def _jaxlint(work: Path, sites: Mapping[Path, Numbered], options: argparse.Namespace, *arguments: str) -> str:
    """Run `jaxlint check` on the files with sites, and on test files like on others."""
    selected = ["--isolated", "--select", ",".join(RULES.values()), "--config", "tests = []"]
    command = [*options.jaxlint.split(), "check", *selected, *arguments, *(str(path) for path in sites)]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode > 1 or "Traceback" in done.stderr:
        sys.exit(f"roundtrip: {' '.join(command)}\n{done.stderr[-2000:]}")
    return done.stdout


# --- tests


def _tests(folder: Path, changed: set[Path], everything: bool) -> list[Path]:
    """The test files beside the changed files, those in folders of the same names below `tests`; or all."""
    tests = sorted({*folder.rglob("*_test.py"), *folder.rglob("test_*.py")})
    beside = {path.parent for path in changed}
    mirrored = {"tests", *(path.name for path in beside)}
    return [
        test
        for test in tests
        if everything
        or test in changed
        or test.parent in beside
        or ("tests" in test.relative_to(folder).parts and test.parent.name in mirrored)
    ]


def _both_sides(
    source: Path, work: Path, names: list[str], options: argparse.Namespace
) -> tuple[Tests, Tests, list[str]]:
    """How the tests end as released and after the round trip, and the files that take too long as released."""

    def run(name: str) -> tuple[Tests, Tests] | None:
        try:
            before = _run_tests(source, [name], options, limit=options.limit)
        except subprocess.TimeoutExpired:
            return None
        return before, _run_tests(work, [name], options)

    before, after = dict[str, str](), dict[str, str]()
    with ThreadPoolExecutor(options.jobs) as pool:
        ended = dict(zip(names, pool.map(run, names), strict=True))
    for sides in ended.values():
        if sides is not None:
            before |= sides[0].outcomes
            after |= sides[1].outcomes
    return Tests(before), Tests(after), [name for name, sides in ended.items() if sides is None]


def _run_tests(folder: Path, names: list[str], options: argparse.Namespace, *, limit: float | None = None) -> Tests:
    """How the tests of some files end. Raises TimeoutExpired after `limit` seconds."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as place:
        report = Path(place) / "report.xml"
        command = [options.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
        done = subprocess.run(
            [*command, *options.pytest, *names],
            cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=limit,
        )  # fmt: skip
        if not report.is_file():
            sys.exit(f"roundtrip: the tests of {folder.name} do not run\n{(done.stdout + done.stderr)[-2000:]}")
        cases = ET.parse(report).iter("testcase")
        return Tests({f"{case.get('classname')}.{case.get('name')}": _outcome(case) for case in cases})


def _outcome(case: ET.Element) -> str:
    ends = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
    return {"failure": "failed", "error": "error", "skipped": "skipped"}[ends[0]] if ends else "passed"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the packages are unpacked")
    parser.add_argument("--packages", default="", help="names, separated by commas (default: all of roundtrip.txt)")
    parser.add_argument("--jaxlint", default=f"{sys.executable} -m jaxlint", help="command (default: %(default)s)")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with what the packages and tests need")
    parser.add_argument("--pytest", action="append", default=[], help="a further option of pytest, as --pytest=-n2")
    parser.add_argument("--draws", type=int, default=64, help="other draws to try for tests that end otherwise")
    parser.add_argument("--jobs", type=int, default=1, help="test files at once (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=600, help="seconds for a test file (default: %(default)s)")
    parser.add_argument("--all-tests", action="store_true", help="not only those beside changed files")
    parser.add_argument("--no-tests", action="store_true", help="rewrite and fix, run nothing")
    parser.add_argument("--verbose", action="store_true", help="name the sites that are left out")
    return parser


if __name__ == "__main__":
    sys.exit(main())
