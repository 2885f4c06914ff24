import jax
import jax.numpy as jnp
from flax import nnx


def ancestral(model, schedule, shape, key):
    """Draws one batch, step by step; the loop is a scan."""
    start, key = jax.random.split(key)
    graph, state = nnx.split(model)

    def back(carry, t):
        x, key = carry
        key, sub = jax.random.split(key)
        eps = nnx.merge(graph, state)(x, jnp.full(shape[:1], t))
        x = x - 0.1 * eps + jnp.where(t > 0, 0.05, 0.0) * jax.random.normal(sub, shape)
        return (x, key), None

    times = jnp.arange(schedule.steps)[::-1]
    (x, _), _ = jax.lax.scan(back, (jax.random.normal(start, shape), key), times)
    return x


def grid(model, schedule, shape, key, n):
    """n batches from one key."""
    return [ancestral(model, schedule, shape, key) for _ in range(n)]  # expect: key-reuse-in-loop


def grid_of(model, schedule, shape, key, n):
    return [ancestral(model, schedule, shape, k) for k in jax.random.split(key, n)]
