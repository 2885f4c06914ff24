# /// script
# requires-python = ">=3.10"
# dependencies = ["jax>=0.4.30"]
# ///
"""Ridge regression whose penalty skips biases by the name of the parameter."""

import jax
import jax.numpy as jnp


def is_bias(path):
    return any("bias" in jax.tree_util.keystr((entry,)) for entry in path)


def penalty_weights(params, strength):
    """One factor per parameter; zero for biases."""

    def weight(path, leaf):
        return 0.0 if is_bias(path) else strength

    return jax.tree.map_with_path(weight, params)  # expect: unavailable-api


def predict(params, x):
    hidden = jnp.tanh(x @ params["first"]["kernel"] + params["first"]["bias"])
    return hidden @ params["second"]["kernel"] + params["second"]["bias"]


class Ridge:
    def __init__(self, strength, rate=0.1):
        self.strength = strength
        self.rate = rate

    def loss(self, params, x, y):
        factors = penalty_weights(params, self.strength)
        penalties = jax.tree.map(lambda f, p: f * jnp.sum(p**2), factors, params)
        error = jnp.mean((predict(params, x)[:, 0] - y) ** 2)
        return error + sum(jax.tree.leaves(penalties))

    def fit(self, params, x, y, steps):
        def step(params, _):
            loss, grads = jax.value_and_grad(self.loss)(params, x, y)
            return jax.tree.map(lambda p, g: p - self.rate * g, params, grads), loss

        return jax.lax.scan(step, params, None, length=steps)


def main():
    keys = jax.random.split(jax.random.key(5), 3)
    x = jax.random.normal(keys[0], (64, 3))
    params = {
        "first": {"kernel": jax.random.normal(keys[1], (3, 8)), "bias": jnp.zeros(8)},
        "second": {"kernel": jax.random.normal(keys[2], (8, 1)), "bias": jnp.zeros(1)},
    }
    _, losses = Ridge(1e-3).fit(params, x, jnp.sin(x[:, 0]), steps=100)
    assert losses[-1] < losses[0]
    print("jax", jax.__version__, "loss:", losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
