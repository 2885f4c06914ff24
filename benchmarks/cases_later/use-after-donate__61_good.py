"""Large-batch regression with donated buffers and a convergence test on the weights."""

from functools import partial

import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(1e-2)


def init_params(key, features=16, hidden=64):
    in_key, out_key = jax.random.split(key)
    return {
        "in": jax.random.normal(in_key, (features, hidden)) / jnp.sqrt(features),
        "out": jax.random.normal(out_key, (hidden, 1)) / jnp.sqrt(hidden),
    }


def loss_fn(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["in"]) @ params["out"] - y) ** 2)


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, opt_state, x, y):
    grads = jax.grad(loss_fn)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, optax.global_norm(updates)


class Session:
    def __init__(self, key, tolerance=1e-4):
        self.params = init_params(key)
        self.opt_state = optimizer.init(self.params)
        self.tolerance = tolerance

    def advance(self, x, y):
        fresh, self.opt_state, moved = train_step(self.params, self.opt_state, x, y)
        self.params = fresh
        return moved < self.tolerance


def synthetic(key, rows=128):
    x = jax.random.normal(key, (rows, 16))
    return x, jnp.sin(x[:, :1])


def main(steps=50):
    model_key, data_key = jax.random.split(jax.random.key(44))
    session = Session(model_key)
    x, y = synthetic(data_key)
    settled = None
    for _ in range(steps):
        settled = session.advance(x, y)
    return session, settled


def demonstrate():
    session, settled = main(steps=2)
    assert not settled and session.params["in"].shape == (16, 64)
