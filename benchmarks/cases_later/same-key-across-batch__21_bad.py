"""after vmapped method gets the key with in_axes None; slug: same-key-across-batch"""
import jax
import jax.numpy as jnp


class Policy:
    def __init__(self, w):
        self.w = w

    def act(self, key, obs):
        mean = obs @ self.w
        return mean + 0.1 * jax.random.normal(key, mean.shape)


def act_batch(policy, key, obs):
    return jax.vmap(policy.act, in_axes=(None, 0))(key, obs)  # expect: same-key-across-batch


def demonstrate():
    a = act_batch(Policy(jnp.zeros((2, 3))), jax.random.key(0), jnp.ones((4, 2)))
    assert jnp.array_equal(a[0], a[3])
