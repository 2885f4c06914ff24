"""clean: linen training done right"""
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class State(train_state.TrainState):
    batch_stats: Any
    key: jax.Array


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(8)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        x = nn.Dropout(0.2, deterministic=not train)(nn.relu(x))
        return nn.Dense(2)(x)


def create(key, x):
    init_key, drop_key = jax.random.split(key)
    net = Net()
    variables = net.init(init_key, x, train=False)
    return State.create(apply_fn=net.apply, params=variables["params"], tx=optax.adamw(1e-3),
                        batch_stats=variables["batch_stats"], key=drop_key)


@jax.jit
def train_step(state, x, y):
    dropout_key = jax.random.fold_in(state.key, state.step)

    def loss_fn(params):
        logits, new = state.apply_fn({"params": params, "batch_stats": state.batch_stats}, x, train=True,
                                     mutable=["batch_stats"], rngs={"dropout": dropout_key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), new

    (loss, new), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads).replace(batch_stats=new["batch_stats"])
    return state, loss


@jax.jit
def eval_step(state, x):
    return state.apply_fn({"params": state.params, "batch_stats": state.batch_stats}, x, train=False)


def demonstrate():
    x, y = jnp.ones((4, 3)), jnp.zeros(4, int)
    state = create(jax.random.key(0), x)
    for _ in range(3):
        state, loss = train_step(state, x, y)
    assert eval_step(state, x).shape == (4, 2)
