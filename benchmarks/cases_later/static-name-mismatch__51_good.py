"""a static flag that was renamed; slug: static-name-mismatch"""
import jax
import jax.numpy as jnp


def attention(query, key, value, is_causal=True):
    scores = query @ key.T / jnp.sqrt(query.shape[-1])
    if is_causal:
        mask = jnp.tril(jnp.ones(scores.shape, bool))
        scores = jnp.where(mask, scores, -jnp.inf)
    return jax.nn.softmax(scores) @ value


def build():
    return jax.jit(attention, static_argnames=("is_causal",))


def main():
    x = jnp.ones((4, 8))
    return build()(x, x, x, is_causal=False)


def demonstrate():
    main()
