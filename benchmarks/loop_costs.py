"""What the loops cost that the rules about performance report: each program as reported, and as its page rewrites it.

    python benchmarks/loop_costs.py [--platform cuda] [--repetitions 5] [--only host-sync-in-loop]

Both are run in turns in one process, after one run that compiles. Prints, for each rule and size, the seconds per
iteration of both (least of all repetitions) and their ratio. For `unsynchronized-timing`, the first figure is what the
clock shows, and the second is what the work takes.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

Run = Callable[[int], Any]


class Pair(NamedTuple):
    """A loop as it is reported, and rewritten; both take the number of iterations."""

    rule: str
    size: str
    iterations: int
    reported: Run
    rewritten: Run


def mlp(width: int, rows: int) -> tuple[Any, Any, Any, Any]:
    """A step of gradient descent on a network of three layers, not compiled, and its first arguments."""
    import jax
    import jax.numpy as jnp

    def loss(weights: Any, x: Any, y: Any) -> Any:
        for w in weights[:-1]:
            x = jax.nn.relu(x @ w)
        return jnp.mean((x @ weights[-1] - y) ** 2)

    def step(weights: Any, x: Any, y: Any) -> tuple[Any, Any]:
        value, gradients = jax.value_and_grad(loss)(weights, x, y)
        return jax.tree.map(lambda w, g: w - 1e-3 * g, weights, gradients), value

    *keys, last = jax.random.split(jax.random.key(0), 4)
    weights = [jax.random.normal(key, (width, width)) / width**0.5 for key in keys]
    x = jax.random.normal(last, (rows, width))
    return step, weights, x, jnp.ones_like(x)


def host_syncs(width: int, rows: int) -> Pair:
    """Each loss is made a number in its iteration, or all are fetched at the end."""
    import jax

    step, start, x, y = mlp(width, rows)
    compiled = jax.jit(step)

    def reported(count: int) -> Any:
        weights, losses = start, []
        for _ in range(count):
            weights, loss = compiled(weights, x, y)
            losses.append(float(loss))
        return losses

    def rewritten(count: int) -> Any:
        weights, losses = start, []
        for _ in range(count):
            weights, loss = compiled(weights, x, y)
            losses.append(loss)
        return jax.device_get(losses)

    return Pair("host-sync-in-loop", f"width {width}, {rows} rows", 300, reported, rewritten)


def transfers(width: int, rows: int) -> Pair:
    """NumPy arrays that each call copies, or that are copied once."""
    import jax
    import numpy as np

    step, start, x, y = mlp(width, rows)
    compiled = jax.jit(step)
    host_x, host_y = np.asarray(x), np.asarray(y)

    def train(count: int, x: Any, y: Any) -> Any:
        weights, loss = start, None
        for _ in range(count):
            weights, loss = compiled(weights, x, y)
        return jax.block_until_ready(loss)

    def rewritten(count: int) -> Any:
        return train(count, *jax.device_put((host_x, host_y)))

    size = f"{2 * host_x.nbytes / 2**20:.1f} MiB, width {width}"
    return Pair("transfer-in-loop", size, 300, lambda count: train(count, host_x, host_y), rewritten)


def eager_steps(width: int, rows: int) -> Pair:
    """Every operation of a step dispatched by itself, or the step compiled."""
    import jax

    step, start, x, y = mlp(width, rows)

    def train(count: int, step: Any) -> Any:
        weights, loss = start, None
        for _ in range(count):
            weights, loss = step(weights, x, y)
        return jax.block_until_ready(loss)

    compiled = jax.jit(step)
    size = f"width {width}, {rows} rows"
    return Pair("unjitted-hot-loop", size, 30, lambda count: train(count, step), lambda count: train(count, compiled))


def growing_arrays(width: int, rows: int) -> Pair:
    """Results concatenated in each iteration, or stacked at the end."""
    import jax
    import jax.numpy as jnp

    step, start, x, y = mlp(width, rows)
    compiled = jax.jit(step)

    def reported(count: int) -> Any:
        weights, losses = start, jnp.zeros(0)
        for _ in range(count):
            weights, loss = compiled(weights, x, y)
            losses = jnp.append(losses, loss)
        return jax.block_until_ready(losses)

    def rewritten(count: int) -> Any:
        weights, losses = start, []
        for _ in range(count):
            weights, loss = compiled(weights, x, y)
            losses.append(loss)
        return jax.block_until_ready(jnp.stack(losses))

    return Pair("array-built-in-loop", f"width {width}, {rows} rows", 100, reported, rewritten)


def rows_of_array(rows: int) -> Pair:
    """A Python loop over the rows of an array, or one `vmap`."""
    import jax
    import jax.numpy as jnp

    table = jax.random.normal(jax.random.key(0), (rows, 64))
    norm = jax.jit(lambda row: jnp.sqrt(jnp.sum(row**2)))
    mapped = jax.jit(jax.vmap(norm))

    def reported(_: int) -> Any:
        return jax.block_until_ready([norm(row) for row in table])

    return Pair("loop-over-array", f"{rows} rows", 1, reported, lambda _: jax.block_until_ready(mapped(table)))


def clocks(width: int) -> tuple[str, float, float]:
    """The size, and the seconds of one product by a clock that does not wait, and by one that does."""
    import jax
    import jax.numpy as jnp

    product = jax.jit(lambda x: x @ x / width)
    x = jax.block_until_ready(product(jnp.ones((width, width))))
    start = time.perf_counter()
    x = product(x)
    shown = time.perf_counter() - start
    jax.block_until_ready(x)
    start = time.perf_counter()
    jax.block_until_ready(product(x))
    return f"product of {width} x {width}", shown, time.perf_counter() - start


def pairs() -> list[Pair]:
    """Every rule but the one about clocks, at a small size and at one that fills the device."""
    return [
        *(host_syncs(width, rows) for width, rows in ((128, 128), (1024, 1024), (4096, 8192))),
        *(transfers(width, rows) for width, rows in ((64, 1024), (256, 16384))),
        *(eager_steps(width, rows) for width, rows in ((128, 128), (4096, 8192))),
        growing_arrays(128, 128),
        rows_of_array(1000),
    ]


def least_seconds(pair: Pair, repetitions: int) -> tuple[float, float]:
    """The least seconds per iteration of both programs, which run in turns after one run that compiles."""
    shortest = [float("inf"), float("inf")]
    for turn in range(repetitions + 1):
        for index, run in enumerate((pair.reported, pair.rewritten)):
            start = time.perf_counter()
            run(pair.iterations)
            if turn:
                shortest[index] = min(shortest[index], (time.perf_counter() - start) / pair.iterations)
    return shortest[0], shortest[1]


def show(rule: str, size: str, first: float, second: float) -> None:
    """One row of the table."""
    print(f"| {rule} | {size} | {first * 1e6:,.0f} | {second * 1e6:,.0f} | {first / second:.2f} |", flush=True)


def main() -> None:
    """Print the table, in microseconds per iteration."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--platform", default="cpu", help="as JAX_PLATFORMS takes it")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", metavar="RULE")
    arguments = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = arguments.platform
    import jax

    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}\n")
    print("| rule | size | reported, us | rewritten, us | ratio |\n|---|---|---|---|---|")
    for pair in pairs():
        if arguments.only in (None, pair.rule):
            show(pair.rule, pair.size, *least_seconds(pair, arguments.repetitions))
    if arguments.only in (None, "unsynchronized-timing"):
        for width in (256, 8192):
            show("unsynchronized-timing", *clocks(width))


if __name__ == "__main__":
    main()
