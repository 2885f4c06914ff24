#!/usr/bin/env python3
"""What `verify --probe FILE` finds on its own: functions with a planted defect, and look-alikes, none seen by check.

python benchmarks/observed_hazards.py                # 140 functions with a defect, 140 without, from a seed
python benchmarks/observed_hazards.py --seed 7 --each 4 --verbose

The functions are undecorated, so that `check` has nothing that traces them. A function that `check` reports all the
same, at any confidence, is left out of the count.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """import functools
import random
import time

import jax
import jax.numpy as jnp
import numpy as np

LOG = []
TOTAL = 0
TABLE = {}
STREAM = iter(range(100))
BIG = np.ones((1024, 1024), np.float32)
SMALL = np.ones((4, 4), np.float32)


def hidden(value):
    return next(iter(sorted({"only": value}.items())))[1]


def scaled(value, by):
    return value * by


@jax.jit
def compiled(value, n=1):
    return value * n


"""

#: Rule, the function with the defect (its line is marked), and one that looks like it and is right.
PAIRS = [
    ("traced-branch",
     "def <f>(x: jax.Array):\n    if <op>(x).sum() > <c>:  # planted\n        return x * <c>\n    return x\n",
     "def <f>(x: jax.Array):\n    if x.ndim > <c>:\n        return <op>(x) * <c>\n    return x\n"),
    ("traced-branch",
     "def <f>(x: jax.Array, y: jax.Array):\n    assert scaled(x, <c>).max() >= 0  # planted\n    return <op>(y)\n",
     "def <f>(x: jax.Array, y: jax.Array):\n    assert scaled(x, <c>).shape == x.shape\n    return <op>(y)\n"),
    ("traced-while",
     "def <f>(x: jax.Array):\n    while <op>(x).sum() < <c>:  # planted\n        x = x * 2\n    return x\n",
     "def <f>(x: jax.Array):\n    n = 0\n    while n < <c>:\n        x = <op>(x)\n        n += 1\n    return x\n"),
    ("concretization",
     "def <f>(x: jax.Array):\n    scale = float(<op>(x).max())  # planted\n    return x / scale\n",
     "def <f>(x: jax.Array):\n    scale = float(x.size)\n    return <op>(x) / scale\n"),
    ("numpy-on-tracer",
     "def <f>(x: jax.Array):\n    total = np.asarray(<op>(x))  # planted\n    return total + <c>\n",
     "def <f>(x: jax.Array):\n    total = np.prod(x.shape)\n    return <op>(x) / total\n"),
    ("traced-iteration-count",
     "def <f>(x: jax.Array):\n    n = x.sum().astype(int)\n    for _ in range(n):  # planted\n        x = <op>(x)\n"
     "    return x\n",
     "def <f>(x: jax.Array, n: int):\n    for _ in range(n):\n        x = <op>(x)\n    return x\n"),
    ("boolean-mask-index",
     "def <f>(x: jax.Array):\n    keep = <op>(x) > <c>\n    return x[keep]  # planted\n",
     "def <f>(x: jax.Array):\n    keep = <op>(x) > <c>\n    return jnp.where(keep, x, 0)\n"),
    ("data-dependent-shape",
     "def <f>(x: jax.Array):\n    return jnp.nonzero(<op>(x) > <c>)  # planted\n",
     "def <f>(x: jax.Array):\n    return jnp.nonzero(<op>(x) > <c>, size=x.size)\n"),
    ("in-place-item-assignment",
     "def <f>(x: jax.Array):\n    y = scaled(x, <c>)\n    y[...] = <op>(x)  # planted\n    return y\n",
     "def <f>(x: jax.Array):\n    y = np.zeros(4)\n    y[0] = <c>\n    return <op>(x).sum() + y\n"),
    ("discarded-at-update",
     "def <f>(x: jax.Array):\n    y = functools.reduce(scaled, [x, <c>])\n    y.at[...].set(<op>(x))  # planted\n"
     "    return y\n",
     "def <f>(x: jax.Array):\n    y = functools.reduce(scaled, [x, <c>])\n    y = y.at[...].set(<op>(x))\n    return y\n"),
    ("key-reuse",
     "def <f>(x: jax.Array, key: jax.Array):\n    keys = [hidden(key), key]\n"
     "    a = jax.random.normal(keys[0], (<c>,))\n    b = jax.random.uniform(keys[0], (<c>,))  # planted\n"
     "    return a + b, <op>(x)\n",
     "def <f>(x: jax.Array, key: jax.Array):\n    keys = list(jax.random.split(key))\n"
     "    a = jax.random.normal(keys[0], (<c>,))\n    b = jax.random.uniform(keys[1], (<c>,))\n    return a + b, <op>(x)\n"),
    ("key-reuse-in-loop",
     "def <f>(x: jax.Array, key: jax.Array):\n    key = hidden(key)\n    for _ in range(<c>):\n"
     "        x = x + jax.random.normal(key, x.shape)  # planted\n    return <op>(x)\n",
     "def <f>(x: jax.Array, key: jax.Array):\n    key = hidden(key)\n    for i in range(<c>):\n"
     "        x = x + jax.random.normal(jax.random.fold_in(key, i), x.shape)\n    return <op>(x)\n"),
    ("constant-key",
     "def <f>(x: jax.Array):\n    key = jax.random.key(<c>)  # planted\n    return x + jax.random.normal(key, x.shape)\n",
     "def <f>(x: jax.Array, seed: int = <c>):\n    key = jax.random.key(seed)\n"
     "    return x + jax.random.normal(key, x.shape)\n"),
    ("leaked-tracer",
     "def <f>(x: jax.Array):\n    LOG.append(<op>(x))  # planted\n    return x * <c>\n",
     "def <f>(x: jax.Array):\n    log = []\n    log.append(<op>(x))\n    return x * <c>, log\n"),
    ("leaked-tracer",
     "def <f>(x: jax.Array):\n    globals()['TABLE']['last'] = <op>(x)  # planted\n    return x\n",
     "def <f>(x: jax.Array):\n    if 'FACTOR' not in TABLE:\n        TABLE['FACTOR'] = np.arange(<c>)\n    return <op>(x)\n"),
    ("global-mutation",
     "def <f>(x: jax.Array):\n    global TOTAL\n    TOTAL += <c>  # planted\n    return <op>(x)\n",
     "def <f>(x: jax.Array):\n    total = TOTAL\n    total += <c>\n    return <op>(x) * total\n"),
    ("captured-mutation",
     "def <f>(x: jax.Array):\n    LOG.append(<c>)  # planted\n    return <op>(x)\n",
     "def <f>(x: jax.Array):\n    LOG.append(<c>)\n    y = <op>(x)\n    LOG.pop()\n    return y\n"),
    ("argument-mutation",
     "def <f>(x: jax.Array, stats: dict[str, jax.Array]):\n    stats['mean'] = x.mean()  # planted\n    return <op>(x)\n",
     "def <f>(x: jax.Array, stats: dict[str, jax.Array]):\n    stats = {**stats, 'mean': x.mean()}\n"
     "    return <op>(x), stats\n"),
    ("host-rng-in-traced-code",
     "def <f>(x: jax.Array):\n    return <op>(x) + random.random() * <c>  # planted\n",
     "def <f>(x: jax.Array):\n    return <op>(x) + random.Random(<c>).random()\n"),
    ("host-rng-in-traced-code",
     "def <f>(x: jax.Array):\n    noise = np.random.normal(size=<c>)  # planted\n    return <op>(x).sum() + noise\n",
     "def <f>(x: jax.Array):\n    noise = np.random.default_rng(<c>).normal(size=<c>)\n    return <op>(x).sum() + noise\n"),
    ("io-in-traced-code",
     "def <f>(x: jax.Array):\n    start = time.perf_counter()  # planted\n    return <op>(x) + start\n",
     "def <f>(x: jax.Array):\n    start = time.perf_counter()\n    compiled(<op>(x)).block_until_ready()\n"
     "    return time.perf_counter() - start\n"),
    ("print-in-traced-code",
     "def <f>(x: jax.Array):\n    y = <op>(x)\n    print('y', y)  # planted\n    return y * <c>\n",
     "def <f>(x: jax.Array):\n    y = <op>(x)\n    print('y', y.shape, y.dtype)\n    return y * <c>\n"),
    ("tracer-formatting",
     "def <f>(x: jax.Array):\n    name = f'{<op>(x).sum()}'  # planted\n    return x * len(name)\n",
     "def <f>(x: jax.Array):\n    name = f'{x.shape}'\n    return <op>(x) * len(name)\n"),
    ("iterator-in-traced-code",
     "def <f>(x: jax.Array):\n    n = next(STREAM)  # planted\n    return <op>(x) * n\n",
     "def <f>(x: jax.Array):\n    stream = iter(range(<c>))\n    return <op>(x) * next(stream)\n"),
    ("same-key-across-batch",
     "def <f>(xs: jax.Array, key: jax.Array):\n    key = hidden(key)\n\n    def one(x):\n"
     "        return <op>(x) + jax.random.normal(key, ())  # planted\n\n    return jax.vmap(one)(xs)\n",
     "def <f>(xs: jax.Array, key: jax.Array):\n    key = hidden(key)\n"
     "    keys = jax.random.split(key, len(xs))\n"
     "    return jax.vmap(lambda x, k: <op>(x) + jax.random.normal(k, ()))(xs, keys)\n"),
    ("captured-constant",
     "def <f>(x: jax.Array):\n    return <op>(x).sum() + jnp.asarray(BIG).sum() * <c>  # planted\n",
     "def <f>(x: jax.Array):\n    return <op>(x).sum() + jnp.asarray(SMALL).sum() * <c>\n"),
    ("jit-in-loop",
     "def <f>(x: jax.Array):\n    for _ in range(<c>):\n"
     "        x = jax.jit(lambda v: <op>(v))(x)  # planted\n    return x\n",
     "def <f>(x: jax.Array):\n    step = jax.jit(lambda v: <op>(v))\n    for _ in range(<c>):\n        x = step(x)\n"
     "    return x\n"),
    ("varying-shape",
     "def <f>(x: jax.Array):\n    for n in map(int, np.arange(1, 5)):\n"
     "        x = x + compiled(jnp.ones(n)).sum()  # planted\n    return <op>(x)\n",
     "def <f>(x: jax.Array):\n    for n in map(int, np.arange(1, 5)):\n        x = x + compiled(jnp.ones(<c>)).sum() * n\n"
     "    return <op>(x)\n"),
]  # fmt: skip
OPERATIONS = ("jnp.sin", "jnp.exp", "jnp.tanh", "jnp.square", "jax.nn.relu", "jnp.abs")


@dataclass(frozen=True)
class Planted:
    """One function: where it stands, the rule that is planted in it or looks so, and the line; None in a look-alike."""

    path: str
    first: int
    last: int
    rule: str
    line: int | None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=5, help="functions of each kind, with a defect and without")
    parser.add_argument("--keep", help="write the functions into this folder and leave them there")
    parser.add_argument("--verbose", action="store_true", help="print what was missed and what was false")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.keep or temporary)
        functions = list(write(folder, random.Random(arguments.seed), arguments.each))
        flagged = run(folder, "check", "--min-confidence", "possible", "--no-cache", ".")
        found = run(folder, "verify", *(f"--probe={path.name}" for path in sorted(folder.glob("*.py"))))
    return judge(functions, flagged["diagnostics"], found["findings"], verbose=arguments.verbose)


def write(folder: Path, generator: random.Random, each: int):
    """Write files of one function per pair, defects and look-alikes mixed."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(2 * each):
        text = HEAD
        pairs = list(enumerate(PAIRS))
        generator.shuffle(pairs)
        path = folder / f"module_{number}.py"
        for index, (rule, bad, good) in pairs:
            source = bad if (index + number) % 2 == 0 else good
            source = source.replace("<op>", generator.choice(OPERATIONS)).replace("<c>", str(generator.randint(2, 5)))
            source = source.replace("<f>", f"{rule.replace('-', '_')}_{index}")
            first = text.count("\n") + 1
            text += source + "\n\n"
            lines = source.splitlines()
            marked = next((first + i for i, line in enumerate(lines) if "# planted" in line), None)
            yield Planted(path.name, first, first + len(lines), rule, marked)
        path.write_text(text, encoding="utf-8")


def run(folder: Path, *arguments: str) -> dict:
    """The JSON report of a command of jaxlint."""
    command = [sys.executable, "-m", "jaxlint", *arguments, "--isolated", "--output-format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def judge(functions: list[Planted], flagged: list[dict], found: list[dict], *, verbose: bool) -> int:
    """Print the figures; 0 where the bar is met."""
    seen = {(Path(d["path"]).name, d["location"]["line"] if "location" in d else d["line"]) for d in flagged}
    observed = [f for f in found if f.get("source") == "observed"]
    kept = [f for f in functions if not any(path == f.path and f.first <= line <= f.last for path, line in seen)]
    hit, missed, false = Counter(), Counter(), []
    for function in kept:
        own = [o for o in observed if o["path"] == function.path and function.first <= o["line"] <= function.last]
        right = [o for o in own if o["line"] == function.line]
        if function.line is not None:
            (hit if right else missed)[function.rule] += 1
        false += [(function, o) for o in own if o["line"] != function.line]
    planted = sum(hit.values()) + sum(missed.values())
    if verbose:
        print("missed:", dict(missed))
        for function, one in false:
            print(f"{function.path}:{one['line']} {one['rule']} in a function of {function.rule}: {one['evidence']}")
    print(f"{len(functions)} functions, {len(functions) - len(kept)} of them seen by check and left out")
    print(f"{sum(hit.values())} of {planted} planted defects found ({sum(hit.values()) / max(1, planted):.0%})")
    print(f"{len(false)} false among {len(kept)}, of which {len(kept) - planted} are look-alikes")
    return 0 if sum(hit.values()) >= 0.85 * planted and not false else 1


if __name__ == "__main__":
    sys.exit(main())
