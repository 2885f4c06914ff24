"""after target parameters in a module global that the trainer replaces; slug: mutable-global-read"""
import jax
import jax.numpy as jnp

TARGET = jnp.zeros(2)


@jax.jit
def td_error(w, x, r):
    return r + 0.9 * x @ TARGET - x @ w  # expect: mutable-global-read


def train(w, x, r, steps):
    global TARGET
    errors = []
    for _ in range(steps):
        errors.append(td_error(w, x, r))
        TARGET = w
    return errors


def demonstrate():
    e = train(jnp.ones(2), jnp.ones(2), 1.0, 2)
    assert e[0] == e[1]
