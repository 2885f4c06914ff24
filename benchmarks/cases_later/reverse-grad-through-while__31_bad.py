"""after implicit layer with a convergence test; slug: reverse-grad-through-while"""

import jax
import jax.numpy as jnp


def fixed_point(f, x0, tolerance=1e-5, max_iter=50):
    def unfinished(state):
        i, x, delta = state
        return (delta > tolerance) & (i < max_iter)

    def advance(state):
        i, x, _ = state
        new = f(x)
        return i + 1, new, jnp.max(jnp.abs(new - x))

    return jax.lax.while_loop(unfinished, advance, (0, x0, jnp.inf))[1]  # expect: reverse-grad-through-while


def deq(params, x):
    return fixed_point(lambda z: jnp.tanh(params["w"] * z + x), jnp.zeros_like(x))


def loss(params, x, y):
    return jnp.mean((deq(params, x) - y) ** 2)


def main():
    params = {"w": jnp.float32(0.5)}
    return jax.value_and_grad(loss)(params, jnp.ones(3), jnp.zeros(3))


def demonstrate():
    try:
        main()
    except ValueError:
        return
    assert False
