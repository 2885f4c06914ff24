"""after general knowledge; slug: where-gradient-nan; corrected twin"""
import jax
import jax.numpy as jnp


def relative_entropy(p, q):
    ratio = jnp.where(p > 0, p * jnp.log(jnp.where(p > 0, p, 1.0) / q), 0.0)
    return jnp.sum(ratio)


def objective(logits, mask, target):
    p = jax.nn.softmax(logits) * mask
    return relative_entropy(p, target)


def step(logits, mask, target):
    return logits - 0.1 * jax.grad(objective)(logits, mask, target)


def demonstrate():
    assert not bool(jnp.isnan(step(jnp.zeros(3), jnp.array([1.0, 1.0, 0.0]), jnp.ones(3) / 3)).any())
