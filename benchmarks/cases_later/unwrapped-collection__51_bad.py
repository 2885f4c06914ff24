"""the parameters of a train state given to apply as they are; slug: unwrapped-collection"""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Policy(nn.Module):
    actions: int

    @nn.compact
    def __call__(self, observation):
        return nn.Dense(self.actions)(nn.tanh(nn.Dense(16)(observation)))


def create(key, observation):
    policy = Policy(actions=2)
    params = policy.init(key, observation)["params"]
    return TrainState.create(apply_fn=policy.apply, params=params, tx=optax.adam(1e-3))


def logits(state, params, observation):
    return state.apply_fn(params, observation)  # expect: unwrapped-collection


def loss(params, state, observation, action):
    chosen = jax.nn.log_softmax(logits(state, params, observation))
    return -chosen[action]


@jax.jit
def step(state, observation, action):
    grads = jax.grad(loss)(state.params, state, observation, action)
    return state.apply_gradients(grads=grads)


def main():
    observation = jnp.ones(4)
    return step(create(jax.random.key(0), observation), observation, 1)


def demonstrate():
    try:
        main()
    except Exception as err:
        return str(err)
    raise AssertionError("expected a failure")
