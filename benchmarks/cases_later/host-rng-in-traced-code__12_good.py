"""after stochastic depth with the random module; slug: host-rng-in-traced-code; corrected twin"""
import random

import flax.linen as nn
import jax
import jax.numpy as jnp


class Residual(nn.Module):
    width: int
    drop_path: float = 0.5

    @nn.compact
    def __call__(self, x, train):
        y = nn.relu(nn.Dense(self.width)(x))
        if train:
            keep = jax.random.bernoulli(self.make_rng("path"), 1 - self.drop_path)
            return x + jnp.where(keep, y, 0.0)
        return x + y


model = Residual(4)


@jax.jit
def loss(variables, x, key):
    return model.apply(variables, x, True, rngs={"path": key}).sum()


def demonstrate():
    v = model.init({"params": jax.random.key(0), "path": jax.random.key(1)}, jnp.ones((2, 4)), False)
    out = {float(loss(v, jnp.ones((2, 4)), jax.random.key(i))) for i in range(12)}
    assert len(out) == 2
