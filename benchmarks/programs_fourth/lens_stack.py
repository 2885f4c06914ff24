import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=(1,))
def focus(ray, distances):
    for distance in distances:
        ray = jnp.array([ray[0] + distance * ray[1], ray[1] - ray[0] / distance])
    return ray


def trace(rays):
    return [focus(ray, [1.0, 2.0]) for ray in rays]


# --- what it should do
assert trace([jnp.array([1.0, 0.0])])[0].tolist() == [-1.0, -1.5]
