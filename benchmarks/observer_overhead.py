"""What the observer costs: a call that hits the cache, a training step, and a thousand retraces.

    python benchmarks/observer_overhead.py [--pairs 12]

Each figure is from paired processes, one with and one without the observer, in alternating order; CPU time, so that
other work on the machine counts little. Prints the ratio of the pairs: median and 95 % interval by bootstrap.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from jaxlint.verify.observe.counts import tally  # noqa: E402
from jaxlint.verify.observe.process import observing  # noqa: E402
from jaxlint.verify.observe.records import read_logs  # noqa: E402

HIT = """
import jax, time
f = jax.jit(lambda x: x + 1)
x = f(1.0)
for _ in range(2000): f(x)
best = []
for _ in range(15):
    start = time.process_time()
    for _ in range(10000): f(x)
    best.append(time.process_time() - start)
print(min(best) / 10000)
"""
STEP = """
import jax, jax.numpy as jnp, time
def loss(params, x, y):
    for w in params: x = jnp.tanh(x @ w)
    return jnp.mean((x - y) ** 2)
@jax.jit
def step(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads)
params = [jnp.ones((64, 64)) * 0.01 for _ in range(3)]
x = jnp.ones((32, 64))
params = step(params, x, x)
best = []
for _ in range(10):
    start = time.process_time()
    for _ in range(300): params = step(params, x, x)
    jax.block_until_ready(params)
    best.append(time.process_time() - start)
print(min(best) / 300)
"""
RETRACES = """
import jax, time
import jax.numpy as jnp
@jax.jit
def f(x): return jnp.sin(x) + 1
start = time.process_time()
for n in range({count}): jax.eval_shape(f, jax.ShapeDtypeStruct((n + 1,), 'float32'))
print((time.process_time() - start) / {count})
"""


def run(code: str, folder: str | None) -> float:
    """The seconds that the program prints."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
    if folder:
        environment = observing(environment, folder)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def pair(code: str, first: bool) -> float:
    """With over without, in one order or the other."""
    with tempfile.TemporaryDirectory() as folder:
        results = {}
        for observed in (first, not first):
            results[observed] = run(code, folder if observed else None)
    return results[True] / results[False]


def interval(ratios: list[float]) -> tuple[float, float]:
    """95 % of the medians of resampled pairs."""
    source = random.Random(0)
    medians = sorted(statistics.median(source.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[1949]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=12)
    count = parser.parse_args().pairs
    for name, code in (("cache hit", HIT), ("training step", STEP)):
        ratios = [pair(code, bool(n % 2)) for n in range(count)]
        low, high = interval(ratios)
        print(
            f"{name}: median ratio {statistics.median(ratios):.4f}, 95 % interval {low:.4f} to {high:.4f}, {count} pairs",
            flush=True,
        )
    for traces in (250, 1000):
        with tempfile.TemporaryDirectory() as folder:
            seconds, plain = run(RETRACES.format(count=traces), folder), run(RETRACES.format(count=traces), None)
            size = sum(path.stat().st_size for path in Path(folder).iterdir())
            found = sum(function.traces for function in tally(read_logs(folder)).function_counts())
        print(
            f"{traces} retraces: {seconds * 1e3:.2f} ms each, {plain * 1e3:.2f} without; {size / traces:.0f} bytes each, {found} counted",
            flush=True,
        )


if __name__ == "__main__":
    main()
