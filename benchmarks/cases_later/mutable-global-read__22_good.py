"""after target parameters in a module global that the trainer replaces; slug: mutable-global-read; corrected twin"""
import jax
import jax.numpy as jnp

TARGET = jnp.zeros(2)


@jax.jit
def td_error(w, x, r, target):
    return r + 0.9 * x @ target - x @ w


def train(w, x, r, steps):
    global TARGET
    errors = []
    for _ in range(steps):
        errors.append(td_error(w, x, r, TARGET))
        TARGET = w
    return errors


def demonstrate():
    e = train(jnp.ones(2), jnp.ones(2), 1.0, 2)
    assert e[0] != e[1]
