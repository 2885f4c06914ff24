"""after a learning rate that starts as a number and becomes an array; slug: weak-type-recompile"""

import jax
import jax.numpy as jnp

traces = []


@jax.jit
def sgd_step(w, x, lr):
    traces.append(1)
    return w - lr * jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w)


def fit(x, steps):
    w = jnp.ones(3)
    lr = jnp.asarray(0.1, dtype=jnp.float32)
    w = sgd_step(w, x, lr)
    for _ in range(steps):
        lr = jnp.maximum(jnp.float32(0.01), lr * jnp.float32(0.9))
        w = sgd_step(w, x, lr)
    return w


def main():
    return fit(jnp.ones((4, 3)), 3)


def demonstrate():
    main()
    assert len(traces) == 1
