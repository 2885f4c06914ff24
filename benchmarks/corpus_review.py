"""Reading findings: a random draw with its source, a table of verdicts, and what changed between two runs."""

from __future__ import annotations

import csv
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus_findings import CorpusRun, Finding

COLUMNS = ("id", "package", "path", "line", "rule", "category", "message", "verdict", "reason")
VERDICTS = ("true", "false", "unsure")
CONTEXT_LINES = 12


@dataclass(frozen=True, slots=True)
class Selection:
    """Which findings to draw from; an empty set selects everything but what the engine says of files."""

    rules: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()

    def admits(self, finding: Finding) -> bool:
        """Whether the finding passes every set that is not empty; a rule is named by slug or code."""
        return (
            (bool({finding.rule, finding.code} & self.rules) if self.rules else not finding.code.startswith("JXE"))
            and (not self.categories or finding.category in self.categories)
            and (not self.packages or finding.package in self.packages)
            and (not self.ids or finding.id in self.ids)
        )


def sample(run: CorpusRun, selection: Selection, *, seed: int, count: int) -> list[Finding]:
    """`count` findings (all, if there are fewer) drawn at random, then sorted by place."""
    # Drawn from an order by id: the draw does not depend on the order of the report.
    pool = sorted((finding for finding in run.findings if selection.admits(finding)), key=lambda finding: finding.id)
    drawn = random.Random(seed).sample(pool, min(count, len(pool)))
    return sorted(drawn, key=lambda finding: (finding.package, finding.path, finding.line, finding.rule))


def shown(finding: Finding, folder: Path) -> Iterator[str]:
    """The finding with its source and the source of each step of its evidence."""
    yield f"=== {finding.id} {finding.place}"
    yield f"{finding.code} {finding.rule} ({finding.category}, {finding.confidence}): {finding.message}"
    root = folder / finding.package
    yield from _excerpt(root / finding.path, finding.line, finding.end_line, CONTEXT_LINES)
    for note in finding.notes:
        place = f"{note['path']}:{note['line']}" if note.get("line") else "no place"
        yield f"  note ({place}): {note['message']}"
        if note.get("line"):
            yield from _excerpt(root / note["path"], note["line"], note["line"], 1)
    yield ""


def _excerpt(path: Path, first: int, last: int, around: int) -> Iterator[str]:
    if not path.is_file():
        return
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for number in range(max(1, first - around), min(len(lines), last + around) + 1):
        mark = ">" if first <= number <= last else " "
        yield f"  {mark}{number:5} {lines[number - 1]}"


def write_skeleton(findings: Iterable[Finding], path: Path) -> int:
    """A table to fill in, one row a finding; rows that `path` holds already are kept. Returns how many are to judge."""
    judged = {row["id"]: row for row in read_table(path)} if path.is_file() else {}
    rows = {finding.id: _row(finding) for finding in findings}
    merged = judged | {key: row for key, row in rows.items() if key not in judged}
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, dialect="excel-tab", lineterminator="\n")
        writer.writeheader()
        writer.writerows(merged.values())
    return sum(not row["verdict"] for row in merged.values())


def _row(finding: Finding) -> dict[str, str]:
    cells = [finding.id, finding.package, finding.path, str(finding.line), finding.rule, finding.category]
    return dict(zip(COLUMNS, [*cells, finding.message, "", ""], strict=True))


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table of verdicts; ends the program with one line where it is not one."""
    if not path.is_file():
        sys.exit(f"corpus: {path} is not there: `python benchmarks/corpus.py sample --tsv {path}` writes a skeleton")
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, dialect="excel-tab")
        if tuple(reader.fieldnames or ()) != COLUMNS:
            sys.exit(f"corpus: {path}: the columns must be {', '.join(COLUMNS)}")
        rows = list(reader)
    for number, row in enumerate(rows, 2):
        if row["verdict"] not in ("", *VERDICTS):
            sys.exit(f"corpus: {path}:{number}: verdict {row['verdict']!r} is none of {', '.join(VERDICTS)}")
        if row["verdict"] and not row["reason"]:
            sys.exit(f"corpus: {path}:{number}: the verdict has no reason")
    return rows


def summary(rows: list[dict[str, str]], column: str) -> Iterator[str]:
    """For each value of `column` and for all: judged rows, and the share that is true; `unsure` counts as not true."""
    groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for group in (row[column], "all"):
            groups[group][row["verdict"] or "not judged"] += 1
    yield f"{column:32} {'true':>5} {'false':>5} {'unsure':>6} {'not judged':>10}  share true"
    for group in sorted(groups, key=lambda name: (name == "all", name)):
        counts = groups[group]
        true, false, unsure = (counts[verdict] for verdict in VERDICTS)
        share = f"{true / (true + false + unsure):.1%}" if true + false + unsure else "-"
        yield f"{group:32} {true:5} {false:5} {unsure:6} {counts['not judged']:10}  {share}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Findings that went, that came, and that say something else at the same operation (before, after)."""

    gone: list[Finding]
    came: list[Finding]
    changed: list[tuple[Finding, Finding]]


def difference(before: CorpusRun, after: CorpusRun) -> Difference:
    """What changed in the packages that both runs checked; findings are the same when their ids are."""
    both = {run.package for run in before.runs} & {run.package for run in after.runs}
    old = {finding.id: finding for finding in before.findings if finding.package in both}
    new = {finding.id: finding for finding in after.findings if finding.package in both}
    gone = [finding for key, finding in old.items() if key not in new]
    came = [finding for key, finding in new.items() if key not in old]
    changed = [
        (old[key], finding)
        for key, finding in new.items()
        if key in old and (old[key].message, old[key].confidence) != (finding.message, finding.confidence)
    ]
    return Difference(gone, came, changed)
