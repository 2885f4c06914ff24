"""after general knowledge; slug: in-place-augmented-assignment; corrected twin"""
import jax
import jax.numpy as jnp


class Counter:
    def __init__(self, bins):
        self.counts = jnp.zeros(bins, jnp.int32)

    def observe(self, values):
        for v in values:
            self.counts = self.counts.at[v].add(1)
        return self.counts


def run():
    return Counter(4).observe([1, 2, 2])


def demonstrate():
    run()
