import jax
import jax.numpy as jnp


@jax.jit
def apply_boundary(u):
    u[0] = 0.0
    u[-1] = 0.0
    return u


def step(u, dt=0.1):
    lap = jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)
    return apply_boundary(u + dt * lap)


# --- what it should do
assert step(jnp.ones(4)).tolist() == [0.0, 1.0, 1.0, 0.0]
