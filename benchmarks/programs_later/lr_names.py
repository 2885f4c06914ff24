import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("order",))
def moment(x, degree=2):
    total = jnp.zeros(())
    for _ in range(degree):
        total = total + (x**degree).mean()
    return total


# --- what it should do
assert moment(jnp.ones(3), degree=2) == 2.0
