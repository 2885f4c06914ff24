"""after attention scores with a head axis that is not there; slug: einsum-pattern-mismatch"""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Attention(nn.Module):
    heads: int
    width: int

    @nn.compact
    def __call__(self, x):
        batch, length, _ = x.shape
        qkv = nn.Dense(3 * self.heads * self.width)(x)
        q, k, v = jnp.split(qkv, 3, axis=-1)
        q = q.reshape(batch, length, self.heads, self.width)
        k = k.reshape(batch, length, self.heads, self.width)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(self.width)
        weights = jax.nn.softmax(scores)
        out = jnp.einsum("bhqk,bkhd->bqhd", weights, v)  # expect: einsum-pattern-mismatch
        return out.reshape(batch, length, -1)


def run():
    x = jnp.ones((2, 5, 6))
    model = Attention(heads=2, width=4)
    variables = model.init(jax.random.key(0), x)
    return model.apply(variables, x)


def demonstrate():
    try:
        run()
    except Exception:
        return
    assert False
