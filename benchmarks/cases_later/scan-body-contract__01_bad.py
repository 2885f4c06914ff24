"""after general knowledge; slug: scan-body-contract"""
import jax
import jax.numpy as jnp


class GRU:
    def __init__(self, key, size):
        self.w = jax.random.normal(key, (2 * size, size)) * 0.1

    def cell(self, hidden, x):
        return jnp.tanh(jnp.concatenate([hidden, x]) @ self.w)  # expect: scan-body-contract

    def unroll(self, xs):
        hidden = jnp.zeros(xs.shape[1])
        final, outputs = jax.lax.scan(self.cell, hidden, xs)
        return final, outputs


def demonstrate():
    try:
        GRU(jax.random.key(0), 3).unroll(jnp.ones((5, 3)))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
