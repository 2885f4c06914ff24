"""after general knowledge; slug: einsum-pattern-mismatch"""
import jax
import jax.numpy as jnp


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    weights = jax.nn.softmax(scores, axis=-1)
    return jnp.einsum("bhqk,bkd->bqhd", weights, v)  # expect: einsum-pattern-mismatch


def self_attention(x, heads=2):
    b, t, d = 2, 3, 8
    split = x.reshape(b, t, heads, d // heads)
    return attention(split, split, split)


def demonstrate():
    try:
        self_attention(jnp.ones((2, 3, 8)))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
