"""after the method hands back a new key that the caller ignores; slug: discarded-key-update; corrected twin"""
import jax
import jax.numpy as jnp


class Proposal:
    def __init__(self, scale):
        self.scale = scale

    def sample(self, key, x):
        key, sub = jax.random.split(key)
        return x + self.scale * jax.random.normal(sub, x.shape), key


def random_walk(x, key, steps, scale=0.1):
    proposal = Proposal(scale)
    path = [x]
    for _ in range(steps):
        x, key = proposal.sample(key, x)
        path.append(x)
    return jnp.stack(path)


def demonstrate():
    steps = jnp.diff(random_walk(jnp.zeros(2), jax.random.key(0), 4), axis=0)
    assert not jnp.allclose(steps[0], steps[3], atol=1e-6)
