"""Throughput of a recurrent decoder."""
import dataclasses
import time

import jax
import jax.numpy as jnp


@jax.jit
def decode(weights, state):
    def step(h, _):
        return jnp.tanh(h @ weights), None

    return jax.lax.scan(step, state, None, length=300)[0]


@dataclasses.dataclass
class Throughput:
    tokens: int
    seconds: float

    def __str__(self):
        return f"{self.tokens / self.seconds:.0f} tokens/s"


class Benchmark:
    def __init__(self, weights, batch):
        self.weights = weights
        self.state = jnp.ones((batch, weights.shape[0]))
        jax.block_until_ready(decode(self.weights, self.state))

    def measure(self):
        begin = time.perf_counter()
        out = decode(self.weights, self.state)
        seconds = time.perf_counter() - begin  # expect: unsynchronized-timing
        return Throughput(300 * out.shape[0], seconds), out


def main():
    width = 512
    weights = jax.random.normal(jax.random.key(0), (width, width)) / width**0.5
    bench = Benchmark(weights, batch=256)
    start = time.perf_counter()
    result, out = bench.measure()
    jax.block_until_ready(out)
    total = time.perf_counter() - start
    print(result, "claimed", result.seconds, "real", total)
    assert result.seconds < 0.5 * total


if __name__ == "__main__":
    main()
