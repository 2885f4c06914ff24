"""after general knowledge; slug: traced-branch"""
import jax
import jax.numpy as jnp
from flax import nnx


class Policy(nnx.Module):
    def __init__(self, rngs):
        self.body = nnx.Linear(3, 2, rngs=rngs)

    def __call__(self, obs, temperature=1.0):
        logits = self.body(obs)
        if temperature <= 0.0:  # expect: traced-branch
            return jnp.argmax(logits, -1)
        return jnp.argmax(logits / temperature, -1)


@nnx.jit
def act(policy, obs, temperature):
    return policy(obs, temperature)


def rollout(obs):
    return act(Policy(nnx.Rngs(0)), obs, 0.5)


def demonstrate():
    try:
        rollout(jnp.ones((4, 3)))
    except Exception as err:
        assert type(err).__name__ == 'TracerBoolConversionError', repr(err)
    else:
        raise AssertionError('expected TracerBoolConversionError')
