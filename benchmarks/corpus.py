#!/usr/bin/env python3
"""Corpus of released JAX packages: fetch it, run `jaxlint check` on it, and read what it says."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import corpus_files
import corpus_findings
import corpus_fixes
import corpus_review

DEFAULT_RUN = corpus_files.FOLDER / ".findings.json"
SHOWN_PLACES = 3


def main() -> int:
    options = _parser().parse_args()
    status: int = options.run(options)
    return status


def _fetch(options: argparse.Namespace) -> int:
    corpus_files.fetch(options.folder, options.requirements)
    return _list(options)


def _list(options: argparse.Namespace) -> int:
    found = corpus_files.packages(options.folder, _names(options.packages))
    for package in found:
        print(f"{package.name:24} {package.files:6} files {package.lines:9} lines")
    print(f"{'all':24} {sum(p.files for p in found):6} files {sum(p.lines for p in found):9} lines")
    return 0


def _check(options: argparse.Namespace) -> int:
    runs, findings = [], []
    for package in corpus_files.packages(options.folder, _names(options.packages)):
        run, found = corpus_findings.check(options.jaxlint, package, options.option, options.timeout)
        speed = run.lines / run.cpu_seconds if run.cpu_seconds else 0
        outcome = run.failure or f"{len(found)} findings"
        size = f"{run.lines:8} lines {run.wall_seconds:7.1f} s {speed:8.0f} lines/cpu s"
        print(f"{package.name:24} {size}  {outcome}", flush=True)
        if run.failure:
            print(_indented(run.stderr[-2000:]))
        runs.append(run)
        findings += found
    result = corpus_findings.CorpusRun(str(options.folder.resolve()), tuple(runs), tuple(findings))
    corpus_findings.write(result, options.output)
    return _summarise(result, options.output)


def _summarise(result: corpus_findings.CorpusRun, output: Path) -> int:
    for (code, rule, category), count in sorted(result.by_rule().items()):
        print(f"{count:6}  {code} {rule} ({category})")
    for category, count in sorted(Counter(finding.category for finding in result.findings).items()):
        print(f"{count:6}  {category}")
    limited = [finding for finding in result.findings if finding.code in corpus_findings.ENGINE_FAILURES]
    for (code, message), count in Counter((finding.code, finding.message) for finding in limited).most_common():
        places = [finding.place for finding in limited if (finding.code, finding.message) == (code, message)]
        print(f"{count:6}  {code}: {message}: {', '.join(places[:SHOWN_PLACES])}")
    failures = sum(run.failure is not None for run in result.runs)
    unanalysed = sum(finding.code == "JXE03" for finding in limited)
    lines, seconds = sum(run.lines for run in result.runs), sum(run.cpu_seconds for run in result.runs)
    print(f"{len(result.runs)} packages, {lines} lines, {seconds:.0f} CPU seconds, {len(result.findings)} findings")
    print(f"{failures} failed runs, {unanalysed} files with analysis-failed; written to {output}")
    return 1 if failures or unanalysed else 0


def _fix(options: argparse.Namespace) -> int:
    changed, bad = 0, 0
    for package in corpus_files.packages(options.folder, _names(options.packages)):
        with tempfile.TemporaryDirectory() as work:
            outcome = corpus_fixes.fix_copy(options.jaxlint, package, Path(work), options.timeout)
        print(f"{package.name:24} {len(outcome.changed):6} files changed, {len(outcome.broken)} broken", flush=True)
        for name, error in outcome.broken.items():
            print(f"    {name}: {error}")
        if outcome.failure:
            print(_indented(outcome.failure))
        changed += len(outcome.changed)
        bad += len(outcome.broken) + (outcome.failure is not None)
    print(f"{changed} files changed, {bad} broken or failed")
    return 1 if bad else 0


def _statistics(options: argparse.Namespace) -> int:
    run = corpus_findings.read(options.findings)
    for title, counts in corpus_findings.statistics(run).items():
        total = sum(counts.values())
        print(f"{title}: {total}")
        for name, count in counts.most_common(options.top):
            print(f"{count:8} {count / total:6.1%}  {name}")
    return 0


def _sample(options: argparse.Namespace) -> int:
    run = corpus_findings.read(options.findings)
    names = (options.rules, options.category, options.packages, options.ids)
    selection = corpus_review.Selection(*(_names(name) for name in names))
    drawn = corpus_review.sample(run, selection, seed=options.seed, count=options.count)
    for finding in drawn:
        print("\n".join(corpus_review.shown(finding, Path(run.folder))))
    print(f"{len(drawn)} findings, seed {options.seed}")
    if options.tsv:
        print(f"{corpus_review.write_skeleton(drawn, options.tsv)} to judge in {options.tsv}")
    return 0


def _judge_summary(options: argparse.Namespace) -> int:
    rows = corpus_review.read_table(options.table)
    for column in ("category", "rule"):
        print("\n".join(corpus_review.summary(rows, column)), end="\n\n")
    return 0


def _diff(options: argparse.Namespace) -> int:
    before, after = corpus_findings.read(options.before), corpus_findings.read(options.after)
    delta = corpus_review.difference(before, after)
    for sign, findings, run in (("-", delta.gone, before), ("+", delta.came, after)):
        for finding in findings:
            print(f"{sign} {finding.id} {finding.place}: {finding.code} {finding.rule}: {finding.message}")
            if options.context:
                print("\n".join(corpus_review.shown(finding, Path(run.folder))))
    for old, new in delta.changed:
        print(f"~ {new.id} {new.place}: {new.code} {new.rule} ({old.confidence} -> {new.confidence}): {new.message}")
    gone, came = (Counter(finding.rule for finding in side) for side in (delta.gone, delta.came))
    for rule in sorted(gone | came):
        print(f"{rule:32} -{gone[rule]:<5} +{came[rule]}")
    print(f"-{len(delta.gone)} +{len(delta.came)} ~{len(delta.changed)}")
    return 0


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _names(text: str) -> frozenset[str]:
    return frozenset(name for name in text.split(",") if name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    everywhere = argparse.ArgumentParser(add_help=False)
    everywhere.add_argument("--folder", type=Path, default=corpus_files.FOLDER, help="one sub-folder a package")
    everywhere.add_argument("--packages", default="", help="names, separated by commas")

    fetch = commands.add_parser("fetch", parents=[everywhere], help="download with pip and unpack")
    fetch.add_argument("--requirements", type=Path, default=corpus_files.REQUIREMENTS)
    fetch.set_defaults(run=_fetch)
    commands.add_parser("list", parents=[everywhere], help="files and lines").set_defaults(run=_list)

    check = commands.add_parser("check", parents=[everywhere], help="run `jaxlint check` on each package")
    check.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    check.add_argument("--option", action="append", default=[], help="a further option of `check`, as --option=-j2")
    check.add_argument("--timeout", type=float, default=1800, help="seconds a package")
    check.add_argument("--output", type=Path, default=DEFAULT_RUN, help="JSON (default: %(default)s)")
    check.set_defaults(run=_check)

    fix = commands.add_parser("fix", parents=[everywhere], help="make the unsafe fixes of all rules in copies")
    fix.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    fix.add_argument("--timeout", type=float, default=1800, help="seconds a package")
    fix.set_defaults(run=_fix)
    _add_readers(commands)
    return parser


def _add_readers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    reads = argparse.ArgumentParser(add_help=False)
    reads.add_argument("--findings", type=Path, default=DEFAULT_RUN, help="what `check` wrote")
    statistics = commands.add_parser("statistics", parents=[reads], help="what the analysis could decide")
    statistics.add_argument("--top", type=int, default=40, help="rows a table")
    statistics.set_defaults(run=_statistics)

    sample = commands.add_parser("sample", parents=[reads], help="draw findings at random and print their source")
    sample.add_argument("--seed", type=int, default=0)
    sample.add_argument("--count", type=int, default=100)
    for name in ("--rules", "--category", "--packages", "--ids"):
        sample.add_argument(name, default="", help="separated by commas")
    sample.add_argument("--tsv", type=Path, help="table to judge; judged rows of an existing one are kept")
    sample.set_defaults(run=_sample)

    judge = commands.add_parser("judge-summary", help="share of true findings by category and by rule")
    judge.add_argument("table", type=Path)
    judge.set_defaults(run=_judge_summary)

    diff = commands.add_parser("diff", help="what changed between two runs of `check`")
    diff.add_argument("before", type=Path)
    diff.add_argument("after", type=Path)
    diff.add_argument("--context", action="store_true", help="with the source")
    diff.set_defaults(run=_diff)


if __name__ == "__main__":
    sys.exit(main())
