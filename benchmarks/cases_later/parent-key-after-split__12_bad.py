"""after scan carries the key that was already split; slug: parent-key-after-split"""
import jax
import jax.numpy as jnp
from jax import lax


def langevin(score, x0, key, steps, eps=0.1):
    def step(carry, _):
        x, key = carry
        noise_key, _ = jax.random.split(key)
        noise = jax.random.normal(noise_key, x.shape)
        x = x + eps * score(x) + jnp.sqrt(2 * eps) * noise
        return (x, key), noise  # expect: parent-key-after-split

    (x, _), noises = lax.scan(step, (x0, key), None, length=steps)
    return x, noises


def demonstrate():
    _, noises = langevin(lambda x: -x, jnp.zeros(3), jax.random.key(0), 4)
    assert jnp.array_equal(noises[0], noises[3])
