"""Feed jaxlint what it was not made for, for as long as it may take, and keep each case that ends badly.

    python benchmarks/fuzz/run.py --minutes 60 --seed 1

prints for each kind of subject how many cases were run and what went wrong, and writes one folder for each distinct
problem below --failures. A case depends on its number alone: `--only 1234` runs it again.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.fuzz.outcome import Outcome, run_case
from benchmarks.fuzz.subjects import SUBJECTS, Case

#: How often each kind is drawn.
_WEIGHTS = {
    "program": 8,
    "nonsense": 6,
    "project": 2,
    "notebook": 2,
    "markdown": 1,
    "settings": 2,
    "ignore": 1,
    "json": 1,
}


def made(seed: int, number: int) -> tuple[str, Case]:
    """The case of a number, and its kind."""
    rng = Random(f"{seed}/{number}")
    kind = rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
    return kind, SUBJECTS[kind](rng)


def main() -> int:
    options = _options()
    import_all()
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    problems: dict[str, list[int]] = {}
    end = time.monotonic() + 60 * options.minutes
    numbers = [options.only] if options.only is not None else range(options.start, options.start + options.cases)
    for number in numbers:
        if time.monotonic() > end:
            break
        kind, case = made(options.seed, number)
        outcome = _outcome(case, keep=options.only is not None)
        counts[kind] += 1
        seconds[kind] += outcome.seconds
        if outcome.problem:
            seen = problems.setdefault(f"{kind}: {outcome.problem}", [])
            seen.append(number)
            print(f"{options.seed}/{number} {kind}: {outcome.problem}", flush=True)
            if len(seen) == 1:
                _keep(options.failures / f"{options.seed}-{number}", case, outcome)
    for kind, count in sorted(counts.items()):
        print(f"{kind:<10} {count:>7} cases {seconds[kind] / count:8.3f} s each")
    print(
        f"{sum(counts.values())} cases, {len(problems)} distinct problems in {sum(map(len, problems.values()))} cases"
    )
    return 1 if problems else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--minutes", type=float, default=10**6)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="run one case, and show its output")
    parser.add_argument("--failures", type=Path, default=Path(tempfile.gettempdir()) / "jaxlint-fuzz")
    return parser.parse_args()


def import_all() -> None:
    """What a run imports, once and not in each process."""
    for name in (
        "analysis",
        "cli.check",
        "cli.fix",
        "engine.session",
        "syntax.parse",
        "syntax.notebooks",
        "report.full",
    ):
        import_module(f"jaxlint.{name}")
    from jaxlint.rules.rule import registry

    registry()


def _outcome(case: Case, *, keep: bool) -> Outcome:
    folder = Path(tempfile.mkdtemp(prefix="jaxlint-fuzz-"))
    try:
        outcome = run_case(case, folder / "project")
    finally:
        if not keep:
            shutil.rmtree(folder)
    if keep:
        print(folder, outcome.out, outcome.err, sep="\n")
    return outcome


def _keep(folder: Path, case: Case, outcome: Outcome) -> None:
    for name, data in {**case.files, "arguments.txt": "\n".join(case.arguments).encode()}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (folder / "problem.txt").write_text(f"{outcome.problem}\n{outcome.err}", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
