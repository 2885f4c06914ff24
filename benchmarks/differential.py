#!/usr/bin/env python3
"""Compare jaxlint with JAX on generated programs: what raises, draws twice or has effects is to be reported.

    python benchmarks/differential.py --seed 1 --count 2000
    python benchmarks/differential.py --seed 1 --count 2000 --disagreements folder    # each one, reduced
    python benchmarks/differential.py --seed 1 --only 17                              # one program

A program depends on its seed and number alone.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import jax

from benchmarks.agreement.judgement import FAMILIES, Figures, Verdict, drawn, judged
from benchmarks.agreement.reduction import reduced

#: Programs after which JAX forgets what it has compiled.
_FORGET_AFTER = 200


def main() -> int:
    options = _options()
    if options.only is not None:
        _show(judged(drawn(options.seed, options.only, options.family)), whole=True)
        return 0
    figures = Figures()
    for number in range(options.start, options.start + options.count):
        verdict = judged(drawn(options.seed, number, options.family))
        figures.add(verdict)
        if verdict.valid and not verdict.agrees:
            _disagreement(verdict, options)
        if number % _FORGET_AFTER == 0:
            jax.clear_caches()
    print("\n".join(figures.lines()))
    if options.verbose:
        print("\nnot valid", *(f"  {count:>4} {what}" for what, count in figures.invalid.most_common()), sep="\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--family", choices=sorted(FAMILIES))
    parser.add_argument("--only", type=int, help="the number of one program, to be shown")
    parser.add_argument("--disagreements", type=Path, help="write each one to this folder, reduced")
    parser.add_argument("--verbose", action="store_true", help="name each disagreement, and why programs are not valid")
    return parser.parse_args()


def _disagreement(verdict: Verdict, options: argparse.Namespace) -> None:
    if options.verbose:
        _show(verdict, whole=False)
    if options.disagreements is not None:
        options.disagreements.mkdir(parents=True, exist_ok=True)
        small = reduced(verdict)
        path = options.disagreements / f"{options.seed}_{verdict.program.name}.py"
        path.write_text(f"{small.program.text}{_comment(small)}", encoding="utf-8")


def _comment(verdict: Verdict) -> str:
    program = verdict.program
    expected = [sorted(lines) for lines in verdict.expected]
    seen = f"# seen {expected} {verdict.trouble[:100]!r}; said {list(verdict.said)}"
    return f"# {verdict.kind}; {program.hazard}; {program.way}\n{seen}\n"


def _show(verdict: Verdict, *, whole: bool) -> None:
    if whole:
        for number, line in enumerate(verdict.program.text.split("\n"), 1):
            print(f"{number:4} {line}")
    outcome = "agrees" if verdict.agrees else verdict.kind
    print(f"{verdict.program.name}: {outcome if verdict.valid else 'not valid'}", _comment(verdict), end="", flush=True)


if __name__ == "__main__":
    sys.exit(main())
