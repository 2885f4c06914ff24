"""after general knowledge; slug: traced-branch; corrected twin"""
import jax
import jax.numpy as jnp
from flax import nnx


class Policy(nnx.Module):
    def __init__(self, rngs):
        self.body = nnx.Linear(3, 2, rngs=rngs)

    def __call__(self, obs, temperature=1.0):
        logits = self.body(obs)
        return jnp.argmax(logits / jnp.maximum(temperature, 1e-6), -1)


@nnx.jit
def act(policy, obs, temperature):
    return policy(obs, temperature)


def rollout(obs):
    return act(Policy(nnx.Rngs(0)), obs, 0.5)


def demonstrate():
    rollout(jnp.ones((4, 3)))
