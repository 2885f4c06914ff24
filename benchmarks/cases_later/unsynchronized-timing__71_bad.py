"""Throughput of a small residual network."""

import time
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.jit
def forward(weights, x):
    def layer(h, w):
        return h + jnp.tanh(h @ w), None

    h, _ = jax.lax.scan(layer, x, weights)
    return h


@dataclass
class Benchmark:
    weights: jax.Array

    def seconds_per_batch(self, x, repeats):
        """Average time of a forward pass after a warm-up."""
        forward(self.weights, x).block_until_ready()
        start = time.perf_counter()
        for _ in range(repeats):
            out = forward(self.weights, x)
        elapsed = time.perf_counter() - start  # expect: unsynchronized-timing
        return out, elapsed / repeats


def report(size, seconds):
    print(f"batch {size:4d}: {size / seconds:12.0f} examples per second")


def main():
    weight_key, data_key = jax.random.split(jax.random.key(0))
    weights = 0.02 * jax.random.normal(weight_key, (40, 512, 512))
    x = jax.random.normal(data_key, (512, 512))
    bench = Benchmark(weights)
    _, value = bench.seconds_per_batch(x, repeats=3)
    report(x.shape[0], value)

    begin = time.perf_counter()
    out, value = bench.seconds_per_batch(x, repeats=5)
    out.block_until_ready()
    # Warm-up plus five passes: the true time of one pass is about a sixth.
    true_value = (time.perf_counter() - begin) / 6
    print(f"reported {value:.4f} s, true {true_value:.4f} s per pass")
    assert value < 0.5 * true_value


if __name__ == "__main__":
    main()
