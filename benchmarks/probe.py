#!/usr/bin/env python3
"""What the prober says of the rulebook's bad blocks, or of other files: verdicts by rule, and the reasons of the rest.

python benchmarks/probe.py                                   # the rulebook, without executing anything
python benchmarks/probe.py --execute --python ~/venv/bin/python
python benchmarks/probe.py benchmarks/cases/*_bad.py
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from jaxlint.verify.probe.proof_table import proof_of  # noqa: E402
from tests.rulebook_blocks import rulebook_blocks  # noqa: E402
from tests.verify.probe.pages import as_module  # noqa: E402


def main() -> int:
    arguments = parse()
    with tempfile.TemporaryDirectory() as folder:
        version = release(arguments.python)
        paths = arguments.paths or [write_rulebook(Path(folder) / "rulebook", numbers(version))]
        report = probe(paths, version, Path(folder) / "report.json", arguments)
    target = report["target"]
    print(f"JAX {target['jax']}, Python {target['python']}; complete: {report['complete']}")
    show(report["findings"], verbose=arguments.verbose)
    provable = [finding for finding in report["findings"] if proof_of(finding["rule"]).judge is not None]
    confirmed = sum(finding["verdict"] == "confirmed" for finding in provable)
    print(f"of {len(provable)} by rules that a probe can prove, confirmed {confirmed / max(1, len(provable)):.0%}")
    return 0 if confirmed >= arguments.at_least * len(provable) else 1


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has JAX")
    parser.add_argument("--execute", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="print what was not confirmed, and why")
    parser.add_argument(
        "--at-least",
        type=float,
        default=0.0,
        help="the share that must be confirmed, of the findings that a probe can prove",
    )
    return parser.parse_args()


def release(python: str) -> str:
    """The JAX of an interpreter."""
    code = "from importlib.metadata import version; print(version('jax'))"
    done = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3] if part.isdecimal())


def write_rulebook(folder: Path, jax: tuple[int, ...]) -> str:
    """The bad blocks as modules; those that need other packages or a newer JAX, or cannot be run, are left out."""
    folder.mkdir()
    for block in rulebook_blocks():
        is_run = not block.requires and block.options.get("run") != "no"
        if block.kind in ("bad", "proof") and is_run and numbers(block.options.get("jax", "0")) <= jax:
            path = folder / f"{block.slug.replace('-', '_')}_{block.line}.py"
            path.write_text(as_module(block), encoding="utf-8")
    return str(folder)


def probe(paths: list[str], version: str, report: Path, arguments: argparse.Namespace) -> dict:
    """The report on the paths, checked for the release that is probed: it still has what a later one removed."""
    command = [sys.executable, "-m", "jaxlint", "verify", "--isolated", "--python", arguments.python]
    command += ["--target-jax", version]
    command += ["--execute"] if arguments.execute else []
    command += ["--output-format", "json", "--output-file", str(report), *paths]
    done = subprocess.run(command, check=False)
    if not report.exists():
        raise SystemExit(done.returncode)
    return json.loads(report.read_text())


def show(findings: list[dict], *, verbose: bool) -> None:
    by_rule: dict[str, Counter[str]] = {}
    for finding in findings:
        by_rule.setdefault(finding["rule"], Counter())[finding["verdict"]] += 1
        if verbose and finding["verdict"] != "confirmed":
            place = f"{Path(finding['path']).name}:{finding['line']}"
            print(f"{place} {finding['rule']}: {finding['verdict']}: {finding['evidence']}")
    for rule, counts in sorted(by_rule.items()):
        print(f"{rule:28} {dict(counts)}")
    total = Counter(finding["verdict"] for finding in findings)
    print(f"{len(findings)} findings: {dict(total)}; confirmed {total['confirmed'] / max(1, len(findings)):.0%}")


if __name__ == "__main__":
    sys.exit(main())
