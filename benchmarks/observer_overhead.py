"""What the observer costs: a call that hits the cache, a training step, and a thousand retraces.

    python benchmarks/observer_overhead.py [--pairs 400]

The first two compare a function that is observed with the same one that is not, in one observed process, block by
block in alternating order, in CPU time: other work on the machine counts little. Prints the ratio of the pairs: median
and 95 % interval by bootstrap.
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

#: Each program makes the same function twice, observed and by JAX's own `jit`, and times blocks of both in turn.
PAIRED = """
import jax, jax.numpy as jnp, time
own = jax.jit.__wrapped__
{program}
def block(function):
    start = time.process_time()
    for _ in range({calls}): out = function(*arguments)
    jax.block_until_ready(out)
    return time.process_time() - start
observed, plain = make(jax.jit), make(own)
block(observed), block(plain)
for n in range({pairs}):
    first, second = (observed, plain) if n % 2 else (plain, observed)
    times = {{first: block(first), second: block(second)}}
    print(times[observed] / times[plain])
"""
HIT = """
def make(jit): return jit(lambda x: x + 1)
arguments = (make(own)(1.0),)
"""
STEP = """
def loss(params, x, y):
    for w in params: x = jnp.tanh(x @ w)
    return jnp.mean((x - y) ** 2)
def make(jit):
    def step(params, x, y):
        grads = jax.grad(loss)(params, x, y)
        return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads)
    return jit(step)
x = jnp.ones((32, 64))
arguments = ([jnp.ones((64, 64)) * 0.01 for _ in range(3)], x, x)
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


def run(code: str, folder: str | None) -> list[float]:
    """The figures that the program prints."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
    if folder:
        environment = observing(environment, folder)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def interval(ratios: list[float]) -> tuple[float, float]:
    """95 % of the medians of resampled pairs."""
    source = random.Random(0)
    medians = sorted(statistics.median(source.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[1949]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=400)
    count = parser.parse_args().pairs
    for name, program, calls in (("cache hit", HIT, 5000), ("training step", STEP, 100)):
        with tempfile.TemporaryDirectory() as folder:
            ratios = run(PAIRED.format(program=program, calls=calls, pairs=count), folder)
        low, high = interval(ratios)
        told = f"median ratio {statistics.median(ratios):.4f}, 95 % interval {low:.4f} to {high:.4f}"
        print(f"{name}: {told}, {count} pairs", flush=True)
    for traces in (250, 1000):
        with tempfile.TemporaryDirectory() as folder:
            [seconds], [plain] = run(RETRACES.format(count=traces), folder), run(RETRACES.format(count=traces), None)
            size = sum(path.stat().st_size for path in Path(folder).iterdir())
            found = sum(function.traces for function in tally(read_logs(folder)).function_counts())
        told = f"{seconds * 1e3:.2f} ms each, {plain * 1e3:.2f} without; {size / traces:.0f} bytes each"
        print(f"{traces} retraces: {told}, {found} counted", flush=True)


if __name__ == "__main__":
    main()
