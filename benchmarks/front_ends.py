#!/usr/bin/env python3
"""Compares what the two front ends make of files, nodes and spans alike: `front_ends.py PATH ... [--generated N]`.

Files that one of them leaves to the other are counted; any difference is told and is an error.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from jaxlint.syntax.agreement import agree
from jaxlint.syntax.cpython import lower as by_cpython
from jaxlint.syntax.cpython.context import Unsupported
from jaxlint.syntax.cpython.spans import positions
from jaxlint.syntax.deep_stack import run_deep
from jaxlint.syntax.documents import open_document
from jaxlint.syntax.lower import Unlowerable, lower
from jaxlint.syntax.parse import Unparsable, parse
from jaxlint.syntax.positions import compute_positions
from jaxlint.syntax.source import clocks_of

EQUAL = "equal"
DIFFERENT = "different"
LEFT = "left to libcst"
ALONE = "refused by libcst alone"
NEITHER = "refused by both"
_SUFFIXES = (".py", ".ipynb", ".md")
#: What moves a statement to the right: in bytes, in characters, into a block.
_BEFORE = ("", "", 'ü = "é😀"; ', "if ü: ")
_NO_CLOCKS: Mapping[str, str] = MappingProxyType({})


def compare(text: str, clocks: Mapping[str, str] = _NO_CLOCKS) -> tuple[str, str]:
    """How the two readings of a module compare, and what is to be said of it. The stack is to be deep."""
    try:
        fast = by_cpython.lower(text, "a.b", is_package=False, clocks=clocks)
        spans = positions(text, "a.b", is_package=False, clocks=clocks)
    except Unsupported as reason:
        fast, why = None, str(reason)
    try:
        tree = lower(parse(text), "a.b", is_package=False, clocks=clocks)
    except (Unparsable, Unlowerable) as error:
        return (ALONE, str(error)) if fast else (NEITHER, str(error))
    if fast is None:
        return LEFT, why
    if not agree(fast, tree.module):
        return DIFFERENT, "nodes"
    if spans != (expected := compute_positions(text, tree)):
        pairs = zip(zip(*spans, strict=True), zip(*expected, strict=True), strict=True)
        found, wanted = next((one, other) for one, other in pairs if one != other)
        return DIFFERENT, f"{text[slice(*found)]!r} for {text[slice(*wanted)]!r}"
    return EQUAL, ""


def files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        yield from (file for file in found if file.suffix in _SUFFIXES and file.is_file())


def generated(count: int, seed: int) -> Iterator[str]:
    """Modules drawn at random from the statements of the tests, with any line ends and characters of any width."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "syntax"))
    from snippets import BLOCKS, LINES  # type: ignore[import-not-found]

    choice = random.Random(seed)
    statements = [text for text in (*LINES, *BLOCKS) if compare(text + "\n")[0] == EQUAL]
    for _ in range(count):
        drawn = choice.choices(statements, k=choice.randint(1, 12))
        lines = [text if "\n" in text else choice.choice(_BEFORE) + text for text in drawn]
        yield (choice.choice(["\n", "\r\n", "\r"])).join(part for text in lines for part in [*text.split("\n"), ""])


def modules(options: argparse.Namespace) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    for path in files(options.paths):
        try:
            document = open_document(str(path), path.read_bytes())
        except ValueError:
            continue
        yield str(path), document.text, clocks_of(document.layout)
    for number, text in enumerate(generated(options.generated, options.seed)):
        yield f"generated {number}: {text!r}", text, _NO_CLOCKS


def main() -> int:
    options = _options()
    counts: Counter[str] = Counter()
    for label, text, clocks in modules(options):
        outcome, reason = compare(text, clocks)
        counts[outcome] += 1
        if outcome in (DIFFERENT, ALONE) or (options.verbose and outcome == LEFT):
            print(f"{outcome}: {reason}: {label}")
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Python {version}: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    return int(counts[DIFFERENT] > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--generated", type=int, default=0, help="how many modules to make up")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true", help="tell which files are left to libcst, and why")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(run_deep(main))
