"""after apply given the bare params; slug: unwrapped-collection; corrected twin"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Head(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.tanh(nn.Dense(8)(x)))


def predict(x):
    head = Head()
    params = head.init(jax.random.key(0), x)["params"]
    return head.apply({"params": params}, x)


def demonstrate():
    predict(jnp.ones((2, 3)))
