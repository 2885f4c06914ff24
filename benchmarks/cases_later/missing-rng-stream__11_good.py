"""after dropout without rngs in the training loss; slug: missing-rng-stream; corrected twin"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    dim: int
    rate: float = 0.1

    def setup(self):
        self.proj = nn.Dense(self.dim)
        self.drop = nn.Dropout(self.rate)

    def __call__(self, x, deterministic=True):
        return self.drop(self.proj(x), deterministic=deterministic)


def loss_fn(params, model, x):
    out = model.apply({"params": params}, x, deterministic=True)
    return jnp.mean(out ** 2)


def train(x):
    model = Encoder(4)
    params = model.init(jax.random.key(0), x)["params"]
    return jax.grad(loss_fn)(params, model, x)


def demonstrate():
    train(jnp.ones((2, 4)))
