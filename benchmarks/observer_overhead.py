"""What the observer costs: a call that hits the cache, a training step, and a thousand retraces.

    python benchmarks/observer_overhead.py [--pairs 400] [--processes 16] [--runs 12] [--only step]
        [--platform cuda --clock perf_counter]

All in CPU time, since other work on the machine then counts little; on an idle machine with an accelerator,
`--clock perf_counter` measures the time that passes.

The call: a function that is observed and the same one that is not, in one observed process, block by block in
alternating order. The step: the same, in several processes, since two compilations of one program differ by themselves;
which of the two is made first alternates, and each process gives one ratio, the median of its blocks. What the observer
might cost a process as a whole, both would bear there: pairs of processes, one observed and one not, that take turns
block by block, tell of it, less exactly. Prints median and 95 % interval by bootstrap over ratios.
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
from jaxlint.verify.observe.record_reader import read_logs  # noqa: E402

#: What makes the two variants; a measure with UNOBSERVED for both tells how exact the others are.
OBSERVED, UNOBSERVED = "jax.jit", "own"
#: Each program makes the same function twice, observed and by JAX's own `jit`, and times blocks of both in turn.
PAIRED = """
import jax, jax.numpy as jnp, os, time
clock = getattr(time, os.environ["CLOCK"])
own = jax.jit.__wrapped__
{program}
def block(function):
    start = clock()
    for _ in range({calls}): out = function(*arguments)
    jax.block_until_ready(out)
    return clock() - start
if {is_observed_first}: observed, plain = make({jit}), make(own)
else: plain, observed = make(own), make({jit})
for _ in range(2): block(observed), block(plain)
for n in range({pairs}):
    first, second = (observed, plain) if n % 2 else (plain, observed)
    times = {{first: block(first), second: block(second)}}
    print(times[observed] / times[plain])
"""
HIT = """
def make(jit): return jit(lambda x: x + 1)
arguments = (make(own)(1.0),)
"""
#: A training step as people write them: two hidden layers, Adam, a loop that feeds each result to the next step.
STEP = """
import jax, jax.numpy as jnp

def loss(params, x, y):
    for w, b in params[:-1]: x = jax.nn.relu(x @ w + b)
    logits = jax.nn.log_softmax(x @ params[-1][0] + params[-1][1])
    return -jnp.mean(jnp.sum(logits * y, axis=1))

def step(params, first, second, x, y, rate=1e-3):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    first = jax.tree_util.tree_map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
    second = jax.tree_util.tree_map(lambda v, g: 0.99 * v + 0.01 * g * g, second, grads)
    params = jax.tree_util.tree_map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, first, second)
    return params, first, second, value

keys = jax.random.split(jax.random.key(0), 3)
sizes = (64, 128, 128, 10)
params = [(jax.random.normal(k, (a, b)) * 0.05, jnp.zeros(b)) for k, a, b in zip(keys, sizes, sizes[1:])]
zeros = jax.tree_util.tree_map(jnp.zeros_like, params)
x, y = jnp.ones((32, 64)), jax.nn.one_hot(jnp.arange(32) % 10, 10)
start = (params, zeros, zeros)

def make(jit):
    compiled = jit(step, static_argnames="rate")
    def train(count):
        state = start
        for _ in range(count): *state, value = compiled(*state, x, y)
        return value
    return train
"""
#: The step for a process that is told how many steps to take next, and answers with the seconds they took.
TURNS = """
import os, sys, time
clock = getattr(time, os.environ["CLOCK"])
train = make(jax.jit)
for line in sys.stdin:
    began = clock()
    train(int(line)).block_until_ready()
    print(clock() - began, flush=True)
"""
RETRACES = """
import jax, os, time
clock = getattr(time, os.environ["CLOCK"])
import jax.numpy as jnp
@jax.jit
def f(x): return jnp.sin(x) + 1
start = clock()
for n in range({count}): jax.eval_shape(f, jax.ShapeDtypeStruct((n + 1,), 'float32'))
print((clock() - start) / {count})
"""


ENVIRONMENT = {
    **os.environ,
    "CLOCK": "process_time",  # of every program, by its name in `time`
    "JAX_PLATFORMS": "cpu",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # two processes share an accelerator
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}


def run(code: str, folder: str | None) -> list[float]:
    """The figures that the program prints."""
    environment = dict(ENVIRONMENT)
    if folder:
        environment = observing(environment, folder)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def paired_run(blocks: int, calls: int) -> float:
    """The median ratio of the blocks of two processes that run the same program in turns, one of them observed."""
    with tempfile.TemporaryDirectory() as folder:
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", STEP + TURNS],
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for env in (observing(ENVIRONMENT, folder), ENVIRONMENT)
        ]
        ratios = []
        for n in range(blocks + 2):
            times = [0.0, 0.0]
            for index in (0, 1) if n % 2 else (1, 0):
                times[index] = timed(processes[index], calls)
            ratios.append(times[0] / times[1])
        for process in processes:
            process.communicate()
        traces = {function.name: function.traces for function in tally(read_logs(folder)).function_counts()}
        assert traces["step"] == 1, traces
    return statistics.median(ratios[2:])  # the first blocks compile, and warm up


def step_in_one_process(number: int, blocks: int, calls: int, jit: str) -> float:
    """The median ratio of the blocks of one process; the step of `jit` is made first if `number` is even."""
    program = STEP + f"arguments = ({calls},)\n"
    with tempfile.TemporaryDirectory() as folder:
        is_observed_first = number % 2 == 0
        code = PAIRED.format(program=program, calls=1, pairs=blocks, is_observed_first=is_observed_first, jit=jit)
        ratios = run(code, folder)
        traces = {function.name: function.traces for function in tally(read_logs(folder)).function_counts()}
        assert traces.get("step", 0) == (jit == OBSERVED), traces
    return statistics.median(ratios)


def timed(process: subprocess.Popen[str], calls: int) -> float:
    """The seconds that a process says it took for so many calls."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{calls}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def interval(ratios: list[float]) -> tuple[float, float]:
    """95 % of the medians of resampled pairs."""
    source = random.Random(0)
    medians = sorted(statistics.median(source.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[1949]


def show(name: str, ratios: list[float], what: str) -> None:
    """One line: median and interval."""
    low, high = interval(ratios)
    told = f"median ratio {statistics.median(ratios):.4f}, 95 % interval {low:.4f} to {high:.4f}"
    print(f"{name}: {told}, {len(ratios)} {what}", flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--only", choices=("hit", "step", "turns", "retraces"))
    parser.add_argument("--platform", default="cpu", help="as JAX_PLATFORMS takes it")
    parser.add_argument("--clock", default=ENVIRONMENT["CLOCK"], choices=("process_time", "perf_counter"))
    arguments = parser.parse_args()
    ENVIRONMENT.update(CLOCK=arguments.clock, JAX_PLATFORMS=arguments.platform)
    measures = {
        "hit": lambda: show_hit(arguments.pairs),
        "step": lambda: show_step(arguments.processes),
        "turns": lambda: show(
            "training step, two processes", [paired_run(24, 40) for _ in range(arguments.runs)], "pairs of processes"
        ),
        "retraces": show_retraces,
    }
    for name, measure in measures.items():
        if arguments.only in (None, name):
            measure()


def show_hit(pairs: int) -> None:
    """A call that hits the cache."""
    with tempfile.TemporaryDirectory() as folder:
        program = PAIRED.format(program=HIT, calls=5000, pairs=pairs, is_observed_first=True, jit=OBSERVED)
        show("cache hit", run(program, folder), "pairs of blocks")


def show_step(processes: int) -> None:
    """A training step, and the same with neither observed."""
    found: dict[str, list[float]] = {OBSERVED: [], UNOBSERVED: []}
    for number in range(processes):
        for jit, ratios in found.items():
            ratios.append(step_in_one_process(number, 300, 8, jit))
    show("training step", found[OBSERVED], "processes")
    show("training step, neither observed", found[UNOBSERVED], "processes")


def show_retraces() -> None:
    """Many traces of one function."""
    for traces in (250, 1000):
        with tempfile.TemporaryDirectory() as folder:
            program = RETRACES.format(count=traces)
            [seconds], [plain] = run(program, folder), run(program, None)
            size = sum(path.stat().st_size for path in Path(folder).iterdir())
            found = sum(function.traces for function in tally(read_logs(folder)).function_counts())
        told = f"{seconds * 1e3:.2f} ms each, {plain * 1e3:.2f} without; {size / traces:.0f} bytes each"
        print(f"{traces} retraces: {told}, {found} counted", flush=True)


if __name__ == "__main__":
    main()
