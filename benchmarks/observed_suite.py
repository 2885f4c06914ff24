"""A library's own tests with and without the observer: the same outcomes, and what the report says of them.

    python benchmarks/observed_suite.py                       # a part of optax's tests, from its source distribution
    python benchmarks/observed_suite.py --sdist chex==0.1.91 chex/_src/variants_test.py

Needs an interpreter with JAX, pytest and what the tests import. Exits with 1 when an outcome is different.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SDIST = "optax==0.2.8"
TESTS = (
    "optax/transforms/_accumulation_test.py",
    "optax/transforms/_conditionality_test.py",
    "optax/transforms/_clipping_test.py",
    "optax/_src/combine_test.py",
    "optax/_src/linear_algebra_test.py",
    "optax/_src/lookahead_test.py",
    "optax/_src/update_test.py",
)


def main() -> int:
    """Run the tests twice, compare, and print what the report says."""
    arguments = parse()
    with tempfile.TemporaryDirectory(prefix="observed-suite-") as folder:
        sources = Path(arguments.sources).resolve() if arguments.sources else unpacked(arguments.sdist, Path(folder))
        pytest = [arguments.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", *arguments.tests]
        plain, plain_seconds = outcomes(pytest, sources, Path(folder) / "plain.xml")
        report = Path(arguments.report or Path(folder) / "report.json").resolve()
        watching = [sys.executable, "-m", "jaxlint", "verify", "--isolated", "--output-format", "json"]
        checked = sorted({str(Path(test).parent) for test in arguments.tests})
        watching += ["-o", str(report), *checked, "--"]
        observed, seconds = outcomes([*watching, *pytest], sources, Path(folder) / "observed.xml")
        return told(plain, observed, (plain_seconds, seconds), json.loads(report.read_text()))


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sdist", default=SDIST, help="the release whose source distribution holds the tests")
    parser.add_argument("--sources", help="that distribution, unpacked already")
    parser.add_argument("--report", help="where the observer's JSON report is to stay")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has JAX and pytest")
    parser.add_argument("tests", nargs="*", default=list(TESTS), help="the test files, as the distribution has them")
    return parser.parse_args()


def unpacked(release: str, folder: Path) -> Path:
    """The source distribution of a release."""
    name = release.partition("==")[0]
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, release]
    subprocess.run([*download, "-d", str(folder)], check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


def outcomes(command: list[str], folder: Path, junit: Path) -> tuple[dict[str, str], float]:
    """What became of each test, and the CPU seconds of it all."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(ROOT)}
    before = os.times()
    started = time.monotonic()
    subprocess.run([*command, f"--junitxml={junit}"], cwd=folder, env=environment, stdout=sys.stderr, check=False)
    after = os.times()
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    cases = ElementTree.parse(junit).iter("testcase")
    found = {f"{case.get('classname')}.{case.get('name')}": "+".join(part.tag for part in case) for case in cases}
    return found, after.children_user - before.children_user + after.children_system - before.children_system


def told(plain: dict[str, str], observed: dict[str, str], seconds: tuple[float, float], report: dict) -> int:
    """Print the comparison and the report's figures; 1 where they differ."""
    different = sorted(name for name in plain.keys() | observed.keys() if plain.get(name) != observed.get(name))
    for name in different:
        print(f"{name}: {plain.get(name, 'absent') or 'passed'}, observed {observed.get(name, 'absent') or 'passed'}")
    failed = sum("failure" in outcome or "error" in outcome for outcome in plain.values())
    print(f"{len(plain)} tests, {failed} of which fail: {len(different)} outcomes differ")
    print(f"CPU seconds: {seconds[0]:.0f} alone, {seconds[1]:.0f} with the check, the observer and its report")
    functions = report["functions"]
    traces, again = sum(f["traces"] for f in functions), sum(f["recompilations"] for f in functions)
    print(f"complete: {report['complete']} {report['problems']}")
    print(f"{len(functions)} functions, {traces} traces, {again} recompilations")
    reasons: dict[str, int] = {}
    for miss in (miss for function in functions for miss in function["misses"]):
        reasons[miss["reason"]] = reasons.get(miss["reason"], 0) + 1
    print("reasons:", dict(sorted(reasons.items(), key=lambda pair: -pair[1])))
    verdicts: dict[str, int] = {}
    for finding in report["findings"]:
        verdicts[finding["verdict"]] = verdicts.get(finding["verdict"], 0) + 1
    print("verdicts:", verdicts)
    for function in functions[:12]:
        place = f"{function['path']}:{function['line']} {function['name']}"
        first = next((m for m in function["misses"] if m["recompilation"]), None)
        change = f"; {first['reason']} {first['argument']}: {first['before']} -> {first['now']}" if first else ""
        print(f"  {place}: {function['traces']} traces, {function['recompilations']} again{change}")
    if failed == len(plain):
        print("nothing passes, so nothing is shown")
    return 1 if different or failed == len(plain) else 0


if __name__ == "__main__":
    sys.exit(main())
