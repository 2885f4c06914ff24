"""after zip object consumed by a jitted accumulate; slug: iterator-in-traced-code; corrected twin"""
import jax
import jax.numpy as jnp


def make_total(weights):
    stream = list(weights)

    @jax.jit
    def total(x):
        out = x
        for w in stream:
            out = out + w
        return out

    return total


def demonstrate():
    total = make_total([1.0, 2.0])
    first = float(total(jnp.zeros(1))[0])
    second = float(total(jnp.zeros(2))[0])
    assert first == 3.0
    assert second == 3.0
