"""after general knowledge; slug: traced-branch; corrected twin"""
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


class GatedBlock(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x, use_gate):
        h = nn.Dense(self.features)(x)
        if use_gate:
            h = h * nn.sigmoid(nn.Dense(self.features, name="gate")(x))
        return nn.gelu(h)


model = GatedBlock(8)


@partial(jax.jit, static_argnames="use_gate")
def forward(params, x, use_gate):
    return model.apply({"params": params}, x, use_gate)


def run(x):
    params = model.init(jax.random.key(0), x, True)["params"]
    return forward(params, x, use_gate=True)


def demonstrate():
    assert run(jnp.ones((2, 4))).shape == (2, 8)
