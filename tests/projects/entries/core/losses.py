import jax.numpy as jnp

__all__ = ["hinge", "absolute"]


def hinge(margin):
    if margin > 1:  # expect: traced-branch
        return jnp.zeros_like(margin)
    return 1 - margin


def absolute(x):
    return jnp.where(x > 0, x, -x)


def only_on_the_host(x):
    return x if x > 0 else -x


def clipped(x, low, high):
    if low is not None and x < low:  # expect: traced-branch
        return low
    return jnp.minimum(x, high)
