"""after general knowledge; slug: boolean-mask-index; corrected twin"""
import jax
import jax.numpy as jnp


def nms_scores(scores, threshold):
    keep = jnp.greater_equal(scores, threshold)
    order = jnp.argsort(-scores)
    return jnp.where(keep[order], order, -1)


detect = jax.jit(nms_scores)


def demonstrate():
    detect(jnp.array([0.1, 0.9]), 0.5)
