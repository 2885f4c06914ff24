#!/usr/bin/env python3
"""Are planted mistakes real? Run code of a code base on JAX, with a probe at every place for a mistake of tracing.

`planted_proof.py PATH -- COMMAND` copies the code base, puts `float(x.mean())` in a `try` behind each array that
`planted` would use, runs the command in the copy (its own tests, say), and counts the places that were reached by
whether that raised.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import corpus_files
import planted
import planted_sites
from planted_program import Program
from planted_sites import Site
from planted_traced import Traces

PROBE = '''"""Notes what a number made of an array comes to."""

import jax


def note(number, array):
    try:
        float(array.mean())
        outcome = "has a value"
    except jax.errors.ConcretizationTypeError:
        outcome = "raises"
    except Exception as error:
        outcome = type(error).__name__
    with open({path!r}, "a") as file:
        file.write(f"{{number}} {{outcome}}\\n")
'''


def main() -> int:
    options = _parser().parse_args()
    folder = options.path.resolve()
    program = Program(folder, corpus_files.python_files(folder))
    places = [
        site for site in planted_sites.sites(program, Traces(program), folder) if site.operator.startswith("float()")
    ]
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        work, log = Path(name) / folder.name, Path(name) / "log"
        planted.copy(program, folder, work)
        _plant(program, folder, work, places)
        (work / "planted_probe.py").write_text(PROBE.format(path=str(log)), "utf-8")
        subprocess.run(options.command, cwd=work, check=False)
        outcomes = _outcomes(log)
    _print(folder, places, outcomes)
    return 0


def _plant(program: Program, folder: Path, work: Path, places: list[Site]) -> None:
    by_file: dict[Path, list[tuple[int, Site]]] = defaultdict(list)
    for number, site in enumerate(places):
        by_file[site.path].append((number, site))
    texts = {module.path: module.text for module in program.modules}
    for path, numbered in by_file.items():
        text = texts[path]
        for number, site in sorted(numbered, key=lambda pair: pair[1].edits, reverse=True):
            ((start, end, new),) = site.edits
            array = new.strip().removeprefix("planted = float(").removesuffix(".mean())")
            indent = new[: len(new) - len(new.lstrip())]
            probe = f'{indent}__import__("planted_probe").note({number}, {array})\n'
            text = text[:start] + probe + text[end:]
        (work / path.relative_to(folder)).write_text(text, "utf-8")


def _outcomes(log: Path) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for line in log.read_text("utf-8").splitlines() if log.exists() else []:
        number, _, outcome = line.partition(" ")
        found[int(number)].add(outcome)
    return found


def _print(folder: Path, places: list[Site], outcomes: dict[int, set[str]]) -> None:
    real = [number for number, found in outcomes.items() if "raises" in found]
    print(f"{folder.name}: {len(places)} places, {len(outcomes)} reached, {len(real)} of them raise")
    print(Counter(" and ".join(sorted(found)) for found in outcomes.values()))
    for number in sorted(outcomes.keys() - set(real)):
        site = places[number]
        print(f"  {site.path.relative_to(folder)}: {site.function}: {sorted(outcomes[number])}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("command", nargs="+", help="what to run in the copy, behind `--`")
    return parser


if __name__ == "__main__":
    sys.exit(main())
