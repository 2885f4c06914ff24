"""after general knowledge; slug: data-dependent-shape; corrected twin"""
import jax
from jax import numpy as jnp


def group_means(values, groups):
    labels = jnp.unique(groups, size=4)
    sums = jax.ops.segment_sum(values, groups, num_segments=labels.size)
    counts = jax.ops.segment_sum(jnp.ones_like(values), groups, num_segments=labels.size)
    return sums / counts


def centred_loss(theta, values, groups):
    means = group_means(theta * values, groups)
    return jnp.sum((theta * values - means[groups]) ** 2)


update = jax.jit(jax.value_and_grad(centred_loss))


def demonstrate():
    update(2.0, jnp.arange(4.0), jnp.array([0, 0, 1, 1]))
