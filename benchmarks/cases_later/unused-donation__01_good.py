"""after general knowledge; slug: unused-donation; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def evaluate(params, batch):
    logits = batch @ params
    return jnp.mean(jnp.max(logits, axis=-1))


def validate(params, n=3):
    total = 0.0
    for i in range(n):
        batch = jnp.full((16, 8), float(i))
        total += evaluate(params, batch)
    return total / n


def demonstrate():
    validate(jnp.ones((8, 4)))
