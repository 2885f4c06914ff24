"""after general knowledge; slug: concretization; corrected twin"""
import jax
import jax.numpy as jnp


def histogram_loss(x, target):
    counts = jnp.histogram(x, bins=4)[0]
    total = counts.sum()
    return jnp.sum((counts / total - target) ** 2)


@jax.jit
def evaluate(xs, target):
    return jax.lax.map(lambda x: histogram_loss(x, target), xs)


def demonstrate():
    evaluate(jnp.ones((2, 8)), jnp.ones(4) / 4)
