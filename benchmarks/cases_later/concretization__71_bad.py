"""Train a regression model in flax nnx and log gradient norms."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Regressor(nnx.Module):
    def __init__(self, features, rngs):
        self.hidden = nnx.Linear(features, 24, rngs=rngs)
        self.out = nnx.Linear(24, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(nnx.tanh(self.hidden(x)))[..., 0]


def loss_fn(model, x, y):
    return jnp.mean(optax.huber_loss(model(x), y))


def summarise(loss, grads):
    """Scalars for the experiment log."""
    norm = optax.tree.norm(grads)
    return {"loss": loss, "grad_norm": float(norm)}  # expect: concretization


@nnx.jit
def train_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return summarise(loss, grads)


def make_data(key, count):
    x = jax.random.uniform(key, (count, 2), minval=-2.0, maxval=2.0)
    return x, jnp.sin(x[:, 0]) + 0.5 * x[:, 1]


def fit(model, x, y, steps):
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    history = []
    for _ in range(steps):
        history.append(train_step(model, optimizer, x, y))
    return jax.device_get(history)


def main():
    x, y = make_data(jax.random.key(0), 128)
    model = Regressor(2, rngs=nnx.Rngs(1))
    history = fit(model, x, y, steps=40)
    assert history[-1]["loss"] < history[0]["loss"]
    for row in history[::10]:
        print("loss {loss:.4f} grad norm {grad_norm:.4f}".format(**row))


if __name__ == "__main__":
    main()
