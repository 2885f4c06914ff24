#!/usr/bin/env python3
"""Score `jaxlint check` on labelled notebooks: recall, misses, and every report that nobody expected.

usage: score_notebooks.py [--jaxlint CMD] [--min-strict F] [--max-alarms N] [FOLDER]

A folder holds `*_bad.ipynb` (lines of cells marked `# expect: rule`), `*_good.ipynb` (the corrected twin), `clean__*.ipynb` (nothing to
find) and `index.tsv`, whose last column is the cell that checks the notebook itself: reports from there on are ignored, unless marked.
strict: the marked line is the first of a report of the marked rule, in that cell. Exit status 1 when a bound given is not met.
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import shlex
import subprocess
import sys


def options():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folder", nargs="?", default=pathlib.Path(__file__).parent, type=pathlib.Path)
    ap.add_argument("--jaxlint", default="jaxlint")
    ap.add_argument("--min-strict", type=float, default=0)
    ap.add_argument("--max-alarms", type=int, default=10**9)
    return ap.parse_args()


def reports(command, folder):
    """(cell, line, rule) of each diagnostic, by the name of its notebook, from the documented JSON output."""
    run = subprocess.run([*shlex.split(command), "check", "--isolated", "--no-cache", "--output-format", "json", str(folder)],
                         capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"score: jaxlint ended with {run.returncode}: {run.stderr[-2000:]}")
    found = collections.defaultdict(set)
    for d in json.loads(run.stdout)["diagnostics"]:
        found[pathlib.Path(d["path"]).name].add((d["cell"], d["line"], d["rule"]))
    return found


def marks(path):
    """(cell, line, rule) of each mark."""
    return {
        (number, line, rule)
        for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], start=1)
        for line, text in enumerate("".join(cell["source"]).splitlines(), start=1)
        for rule in re.findall(r"# expect: ([a-z0-9-]+)", text)
    }


def main():
    a = options()
    found = reports(a.jaxlint, a.folder)
    hits, missed, alarms, kinds = 0, [], [], collections.Counter()
    for row in csv.DictReader(open(a.folder / "index.tsv"), delimiter="\t"):
        kinds[row["kind"]] += 1
        expected, reported = marks(a.folder / row["file"]), found[row["file"]]
        hits += len(expected & reported)
        missed += [(row["file"], *mark) for mark in sorted(expected - reported)]
        alarms += [(row["file"], *r) for r in sorted(reported - expected) if (r[0] or 0) < int(row["check_cell"])]
    if missed:
        print("missed", *missed, sep="\n  ")
    if alarms:
        print("not expected", *alarms, sep="\n  ")
    total = hits + len(missed)
    print(f"recall {hits} of {total} marks in {kinds['bad']} notebooks; {len(alarms)} reports that nobody expected in all {sum(kinds.values())}")
    sys.exit(hits < a.min_strict * total or len(alarms) > a.max_alarms)


main()
