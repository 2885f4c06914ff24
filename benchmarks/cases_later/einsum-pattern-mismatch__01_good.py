"""after general knowledge; slug: einsum-pattern-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    weights = jax.nn.softmax(scores, axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def self_attention(x, heads=2):
    b, t, d = 2, 3, 8
    split = x.reshape(b, t, heads, d // heads)
    return attention(split, split, split)


def demonstrate():
    assert self_attention(jnp.ones((2, 3, 8))).shape == (2, 3, 2, 4)
