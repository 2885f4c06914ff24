"""Residual network kept as a plain dictionary of blocks."""

import jax
import jax.numpy as jnp
import optax


def dense(key, n_in, n_out):
    return {"w": jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in), "b": jnp.zeros(n_out)}


def init_network(key, width=12, classes=3):
    first_key, second_key, head_key = jax.random.split(key, 3)
    first, second = dense(first_key, width, width), dense(second_key, width, width)
    return {"0": first, "1": second, "head": dense(head_key, width, classes)}


def affine(layer, x):
    return x @ layer["w"] + layer["b"]


def forward(params, x):
    for index in ("0", "1"):
        x = x + jax.nn.gelu(affine(params[index], x))
    return affine(params["head"], x)


class Learner:
    def __init__(self, learning_rate=0.1):
        self.learning_rate = learning_rate
        self.step = jax.jit(self._step)

    def loss(self, params, x, labels):
        logits = forward(params, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    def _step(self, params, x, labels):
        loss, grads = jax.value_and_grad(self.loss)(params, x, labels)
        params = jax.tree.map(lambda p, g: p - self.learning_rate * g, params, grads)
        return params, loss


def main(steps=40):
    model_key, data_key = jax.random.split(jax.random.key(90))
    params = init_network(model_key)
    x = jax.random.normal(data_key, (30, 12))
    labels = jnp.argmax(x[:, :3], axis=1)
    learner, loss = Learner(), None
    for _ in range(steps):
        params, loss = learner.step(params, x, labels)
    return params, loss


if __name__ == "__main__":
    print("loss", main()[1])


def demonstrate():
    params, loss = main(steps=2)
    assert set(params) == {"0", "1", "head"} and jnp.isfinite(loss)
