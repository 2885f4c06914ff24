#!/usr/bin/env python3
"""Compare jaxlint with JAX on every operation of the tables inside every transform.

    python benchmarks/operations.py                                 # all, half an hour
    python benchmarks/operations.py --share 20                      # each twentieth operation
    python benchmarks/operations.py --only jax.numpy.where --lost   # by prefix; each pair on which they disagree
    python benchmarks/operations.py --transforms vmap,grad,jvp      # a few transforms

Of each pair the operation's result (or a number that it takes) is asked something, inside the transform: of a
parameter, and of a constant that the function captures. Which question it is, a seed decides.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
import zlib
from collections import defaultdict
from pathlib import Path
from random import Random

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
warnings.simplefilter("ignore")

import jax  # noqa: E402 - its settings come first

from benchmarks.agreement.operations import operations  # noqa: E402
from benchmarks.agreement.pairs import TRANSFORMS, Pair, judged  # noqa: E402

#: Operations after which JAX forgets what it has compiled.
_FORGET_AFTER = 20


def main() -> int:
    options = _options()
    chosen = options.transforms.split(",") if options.transforms else [each.name for each in TRANSFORMS]
    transforms = [each for each in TRANSFORMS if each.name in chosen]
    pairs: list[Pair] = []
    for number, operation in enumerate(operations(lambda name: _is_chosen(name, options))):
        text, found = judged(operation, Random(f"{options.seed}/{operation.name}"), transforms)
        pairs += found
        if options.text:
            print(text)
        for pair in found if options.lost else ():
            if not pair.agrees:
                print(_told(pair, text), flush=True)  # the run is long
        if number % _FORGET_AFTER == 0:
            jax.clear_caches()
    print("\n".join(_figures(pairs)))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--share", type=int, default=1, help="take one operation of so many")
    parser.add_argument("--only", nargs="+", default=[""], help="operations with these prefixes")
    parser.add_argument("--transforms", help="names, with commas between them")
    parser.add_argument("--lost", action="store_true", help="print each pair on which they disagree")
    parser.add_argument("--text", action="store_true", help="print the programs")
    return parser.parse_args()


def _is_chosen(name: str, options: argparse.Namespace) -> bool:
    mine = zlib.crc32(f"{options.seed}/{name}".encode()) % options.share == 0
    return mine and name.startswith(tuple(options.only))


def _told(pair: Pair, text: str) -> str:
    lines = text.split("\n")
    line = pair.raised if pair.kind == "missed" else next(each for each in pair.said if each != pair.raised)
    told = (pair.kind, pair.transform, pair.question, pair.operation, lines[line - 1].strip(), repr(pair.trouble[:60]))
    return "\t".join(told)


def _figures(pairs: list[Pair]) -> list[str]:
    return [
        _row("all", pairs), *_by("transform", pairs), *_by("question", pairs), *_by("operation", pairs, only_lost=True),
    ]  # fmt: skip


def _by(what: str, pairs: list[Pair], *, only_lost: bool = False) -> list[str]:
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[getattr(pair, what)].append(pair)
    lost = {name: sum(not pair.agrees for pair in group) for name, group in groups.items()}
    names = sorted((name for name in groups if lost[name] or not only_lost), key=lambda name: (-lost[name], name))
    return ["", f"by {what}", *(_row(name, groups[name]) for name in names)]


def _row(name: str, pairs: list[Pair]) -> str:
    wrong = [pair for pair in pairs if not pair.agrees]
    missed = sum(pair.kind == "missed" for pair in wrong)
    return (
        f"  {name:<44} {len(pairs):>6} pairs  agree {1 - len(wrong) / max(1, len(pairs)):7.2%}"
        f"  {missed:>5} of {sum(pair.raised > 0 for pair in pairs):>5} missed  {len(wrong) - missed:>5} alarms"
    )


if __name__ == "__main__":
    sys.exit(main())
