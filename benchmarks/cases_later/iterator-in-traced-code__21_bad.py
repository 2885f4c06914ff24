"""after zip object consumed by a jitted accumulate; slug: iterator-in-traced-code"""
import jax
import jax.numpy as jnp


def make_total(weights):
    stream = iter(weights)

    @jax.jit
    def total(x):
        out = x
        for w in stream:  # expect: iterator-in-traced-code
            out = out + w
        return out

    return total


def demonstrate():
    total = make_total([1.0, 2.0])
    first = float(total(jnp.zeros(1))[0])
    second = float(total(jnp.zeros(2))[0])
    assert first == 3.0
    assert second == 0.0
