#!/usr/bin/env python3
"""Findings that files have when each is checked alone, and lose when they are checked with their package.

More knowledge may refute a finding, never blind the analysis: `jaxlint why FILE:LINE:COLUMN` must show, for each line
printed here, the fact of another module that refutes it.

    python benchmarks/alone.py                 # the packages of the corpus
    python benchmarks/alone.py ../repository   # folders by path
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import corpus_files

import jaxlint
from jaxlint.diagnostics import Confidence, Diagnostic


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A finding by its place; `sure` where it is shown by default."""

    path: str
    line: int
    column: int
    rule: str
    sure: bool


def main() -> int:
    """Print what each folder loses; 0 whatever that is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, help="folders instead of the corpus")
    folders = parser.parse_args().folders or [package.folder for package in corpus_files.packages(corpus_files.FOLDER)]
    total: Counter[str] = Counter()
    for folder in folders:
        alone, together = list(findings_alone(folder)), findings_in(folder, folder)
        total["alone"] += len(alone)
        total["together"] += sum(finding.sure for finding in together)
        for finding, outcome in outcomes(alone, together):
            total[outcome] += 1
            if outcome != "kept":
                print(f"{folder.name}/{finding.path}:{finding.line}:{finding.column}: {finding.rule}: {outcome}")
    print(", ".join(f"{count} {outcome}" for outcome, count in total.items()))
    return 0


def findings_in(folder: Path, root: Path) -> set[Finding]:
    """The findings of all files in a folder, those that are merely possible among them, by paths from `root`."""
    result = jaxlint.check(folder, min_confidence="possible", isolated=True, jobs=1, cache=False)
    return {_finding(diagnostic, root) for diagnostic in result.diagnostics}


def findings_alone(folder: Path) -> Iterator[Finding]:
    """The findings of each file of a folder, checked where no other file is; only those shown by default."""
    for path in corpus_files.python_files(folder):
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            yield from sorted(finding for finding in findings_in(Path(scratch), Path(scratch)) if finding.sure)


def _finding(diagnostic: Diagnostic, root: Path) -> Finding:
    path = Path(diagnostic.path).resolve().relative_to(root.resolve()).as_posix()
    sure = diagnostic.confidence is not Confidence.POSSIBLE
    return Finding(path, diagnostic.span.line, diagnostic.span.column, diagnostic.rule, sure)


def outcomes(alone: Iterable[Finding], together: Iterable[Finding]) -> Iterator[tuple[Finding, str]]:
    """What becomes of each finding of a file alone in its package.

    It is kept, possible only, in the notebook (of the same name, whose code the file repeats), or lost.
    """
    at = {(finding.path, finding.line, finding.rule): finding for finding in together}
    notebooks = Counter((Path(path).stem, rule) for path, _, rule in at if path.endswith(".ipynb"))
    for finding in alone:
        found = at.get((finding.path, finding.line, finding.rule))
        if found is not None:
            yield finding, "kept" if found.sure else "possible"
        elif notebooks[Path(finding.path).stem, finding.rule]:
            yield finding, "in the notebook"
        else:
            yield finding, "lost"


if __name__ == "__main__":
    sys.exit(main())
