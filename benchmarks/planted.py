#!/usr/bin/env python3
"""Recall: plant mistakes in real code, run `jaxlint check` on it, and count those found by a rule that means them.

Where a mistake can be planted is decided by `planted_program` and `planted_traced`, without the analysis of jaxlint.
Each copy of a code base gets one mistake a function; what is missed is tried again with one mistake a file, so that
none hides another.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import corpus_files
import planted_sites
from planted_program import Program
from planted_sites import Site
from planted_traced import Traces

#: (path, line, rule) of a finding, with its confidence.
Findings = dict[tuple[str, int, str], str]
GLOBAL = "PLANTED = []\n"
#: Copies of a code base that are checked in each round.
GROUPS = 2
#: What is a mistake in any function.
EVERYWHERE = (planted_sites.STORED, planted_sites.DROPPED)
RANKS = {"found": 2, "possible": 1, "missed": 0}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a planted mistake: found (at the default confidence), possible, or missed."""

    package: str
    site: Site
    line: int
    outcome: str


def main() -> int:
    options = _parser().parse_args()
    verdicts: list[Verdict] = []
    for folder in _folders(options):
        of_package = check(folder, options.copies, random.Random(f"{options.seed} {folder.name}"), options.limit)
        _print_line(folder.name, of_package)
        verdicts += of_package
        if options.tsv:
            options.tsv.write_text("".join(_row(verdict) for verdict in verdicts), "utf-8")
    for title, key in (
        ("operator", lambda verdict: verdict.site.operator),
        ("framework", lambda verdict: verdict.site.framework),
        ("calls deep", lambda verdict: "any code" if verdict.site.depth is None else str(verdict.site.depth)),
    ):
        print(f"\nby {title}")
        groups = defaultdict(list)
        for verdict in verdicts:
            groups[key(verdict)].append(verdict)
        for name in sorted(groups):
            _print_line(name, groups[name])
    print()
    _print_line("all", verdicts)
    return 0


def check(folder: Path, copies: int, chance: random.Random, limit: int) -> list[Verdict]:
    """Plant mistakes in copies of a code base, and see what is found of them."""
    program = Program(folder, corpus_files.python_files(folder))
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        work = Path(name) / folder.name
        copy(program, folder, work)
        before = _findings(work)
        possible = [
            site for site in planted_sites.sites(program, Traces(program), folder) if _is_new(site, before, folder)
        ]
        remaining = _choose(possible, copies, chance)[:limit]
        outcomes: dict[Site, Verdict] = {}
        for key in (_by_function, _by_file):
            for group in _apart(remaining, key)[:GROUPS]:
                for verdict in _try(folder, work, program, group):
                    known = outcomes.get(verdict.site)
                    if known is None or RANKS[verdict.outcome] > RANKS[known.outcome]:
                        outcomes[verdict.site] = verdict
            remaining = [site for site, verdict in outcomes.items() if verdict.outcome != "found"]
    return list(outcomes.values())


def _choose(possible: Sequence[Site], each: int, chance: random.Random) -> list[Site]:
    """So many mistakes of each function, of operators that were chosen seldom so far."""
    of_function: dict[tuple[Path, str], list[Site]] = defaultdict(list)
    for site in possible:
        of_function[site.path, site.function].append(site)
    chosen: list[Site] = []
    counts: Counter[str] = Counter()
    functions = sorted(of_function)
    chance.shuffle(functions)
    # Stores into arrays can be planted anywhere: functions where there is more to plant come first.
    functions.sort(key=lambda function: all(site.rules in EVERYWHERE for site in of_function[function]))
    for function in functions:
        candidates = sorted(of_function[function], key=lambda site: (site.operator, site.edits))
        chance.shuffle(candidates)
        for _ in range(min(each, len(candidates))):
            site = min(candidates, key=lambda site: counts[site.operator])
            counts[site.operator] += 1
            candidates.remove(site)
            chosen.append(site)
    return chosen


def _by_function(site: Site) -> object:
    return site.path, site.function.partition(".")[0]


def _by_file(site: Site) -> object:
    return site.path


def _apart(chosen: Iterable[Site], key: object) -> list[list[Site]]:
    """The sites in groups, in which no two have the same key."""
    groups: list[dict[object, Site]] = []
    for site in chosen:
        of_site = key(site)  # type: ignore[operator]
        free = next((group for group in groups if of_site not in group), None)
        if free is None:
            groups.append(free := {})
        free[of_site] = site
    return [list(group.values()) for group in groups]


def _try(folder: Path, work: Path, program: Program, group: list[Site]) -> list[Verdict]:
    """Plant these mistakes, and see which are found."""
    texts = {module.path: module.text for module in program.modules}
    by_file: dict[Path, list[Site]] = defaultdict(list)
    for site in group:
        by_file[site.path].append(site)
    wanted: list[tuple[Site, set[int]]] = []
    for path, of_file in by_file.items():
        text, lines = planted(texts[path], of_file)
        wanted += zip(of_file, lines, strict=True)
        (work / path.relative_to(folder)).write_text(text, "utf-8")
    found = _findings(work)
    for path in by_file:
        (work / path.relative_to(folder)).write_text(texts[path], "utf-8")
    return [Verdict(folder.name, site, min(lines), _outcome(folder, site, lines, found)) for site, lines in wanted]


def _outcome(folder: Path, site: Site, lines: set[int], found: Findings) -> str:
    path = str(site.path.relative_to(folder))
    confidences = {found.get((path, line, rule)) for line in lines for rule in site.rules}
    if confidences & {"likely", "certain"}:
        return "found"
    return "possible" if "possible" in confidences else "missed"


def planted(text: str, of_file: list[Site]) -> tuple[str, list[set[int]]]:
    """The text of a file with mistakes in it, and the lines on which each may be reported."""
    edits = sorted((edit, number) for number, site in enumerate(of_file) for edit in site.edits)
    parts: list[str] = []
    lines: list[set[int]] = [set() for _ in of_file]
    shifts: list[tuple[int, int]] = []  # (line of the old text, lines that were put in before it)
    at = line = 0
    for (start, end, new), number in edits:
        if start < at:
            raise ValueError("two mistakes overlap")
        parts += [text[at:start], new]
        line += text.count("\n", at, start)
        lines[number] |= set(range(line + 1, line + 2 + new.removesuffix("\n").count("\n")))
        line += new.count("\n")
        at = end
        shifts.append((text.count("\n", 0, end) + 1, new.count("\n") - text.count("\n", start, end)))
    parts.append(text[at:])
    for number, site in enumerate(of_file):
        for old in site.lines:
            lines[number].add(old + sum(shift for first, shift in shifts if first <= old))
    result = "".join(parts)
    if any("PLANTED" in new for (_, _, new), _ in edits):
        result = f"{result.rstrip()}\n\n\n{GLOBAL}"
    return result, lines


def _is_new(site: Site, before: Findings, folder: Path) -> bool:
    """Whether nothing of the kind is reported there already."""
    path = str(site.path.relative_to(folder))
    return not any((path, line, rule) in before for line in site.lines for rule in site.rules)


def copy(program: Program, folder: Path, work: Path) -> None:
    """Copy the modules of a program, and nothing else of its folder."""
    for module in program.modules:
        target = work / module.path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(module.path, target)


def _findings(work: Path) -> Findings:
    """What the rules that are on by default report of a folder."""
    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "check",
        "--isolated",
        "--no-cache",
        "-j1",
        "--min-confidence",
        "possible",
    ]
    run = subprocess.run(
        [*command, "--output-format", "json", "."], cwd=work, capture_output=True, text=True, check=False
    )
    if run.returncode > 1:
        sys.exit(f"planted: {run.stderr}")
    found: Findings = {}
    for entry in sorted(json.loads(run.stdout)["diagnostics"], key=lambda entry: entry["confidence"] != "possible"):
        found[entry["path"], entry["line"], entry["rule"]] = entry["confidence"]
    return found


def _print_line(name: str, verdicts: list[Verdict]) -> None:
    counts = Counter(verdict.outcome for verdict in verdicts)
    share = f"{counts['found'] / len(verdicts):6.1%}" if verdicts else "     -"
    print(
        f"{name:32} {len(verdicts):5} planted {counts['found']:5} found {share} {counts['possible']:4} possible",
        flush=True,
    )


def _row(verdict: Verdict) -> str:
    site = verdict.site
    depth = "" if site.depth is None else str(site.depth)
    where = f"{site.path}:{verdict.line}"
    return (
        "\t".join((verdict.outcome, verdict.package, where, site.function, site.operator, site.framework, depth)) + "\n"
    )


def _folders(options: argparse.Namespace) -> list[Path]:
    if options.paths:
        return [path.resolve() for path in options.paths]
    names = frozenset(name for name in options.packages.split(",") if name)
    return [package.folder for package in corpus_files.packages(corpus_files.FOLDER, names)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="code bases (default: the corpus)")
    parser.add_argument("--packages", default="", help="of the corpus, separated by commas")
    parser.add_argument("--copies", type=int, default=1, help="mistakes a function, each in a copy of its own")
    parser.add_argument("--limit", type=int, default=200, help="mistakes a code base at most")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--tsv", type=Path, help="write each mistake and what became of it to this file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
