"""after cross entropy that nobody averaged; slug: grad-non-scalar"""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Classifier(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(nn.relu(nn.Dense(8)(x)))


def create_state(key):
    model = Classifier()
    params = model.init(key, jnp.ones((1, 4)))["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["x"])
        one_hot = jax.nn.one_hot(batch["y"], 3)
        return optax.softmax_cross_entropy(logits, one_hot).mean()

    grads = jax.grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads)


def main():
    batch = {"x": jnp.ones((5, 4)), "y": jnp.zeros(5, dtype=jnp.int32)}
    return train_step(create_state(jax.random.key(0)), batch)


def demonstrate():
    assert int(main().step) == 1
