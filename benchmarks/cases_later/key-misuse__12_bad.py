"""after keys derived by arithmetic; slug: key-misuse"""
import jax
import jax.numpy as jnp


def per_step_key(base, step):
    return base + step  # expect: key-misuse


def noise_schedule(seed, steps):
    base = jax.random.PRNGKey(seed)
    return jnp.stack([jax.random.normal(per_step_key(base, t)) for t in range(steps)])


def demonstrate():
    a, b = noise_schedule(0, 4), noise_schedule(1, 4)
    shared = jnp.array_equal(jax.random.PRNGKey(0) + 1, jnp.array([1, 1], dtype=jnp.uint32))
    assert shared and a.shape == b.shape
