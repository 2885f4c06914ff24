"""after equinox layers built from one key; slug: key-reuse; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Critic(eqx.Module):
    trunk: eqx.nn.Linear
    head_a: eqx.nn.Linear
    head_b: eqx.nn.Linear

    def __init__(self, width, *, key):
        trunk_key, head_key, other_key = jax.random.split(key, 3)
        self.trunk = eqx.nn.Linear(4, width, key=trunk_key)
        self.head_a = eqx.nn.Linear(width, 1, key=head_key)
        self.head_b = eqx.nn.Linear(width, 1, key=other_key)

    def __call__(self, obs):
        h = jax.nn.relu(self.trunk(obs))
        return jnp.minimum(self.head_a(h), self.head_b(h))


def build(seed):
    return Critic(16, key=jax.random.key(seed))


def demonstrate():
    c = build(0)
    assert not jnp.array_equal(c.head_a.weight, c.head_b.weight)
