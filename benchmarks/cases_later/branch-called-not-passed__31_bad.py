"""after a schedule with called branches; slug: branch-called-not-passed"""

import jax
import jax.numpy as jnp
from jax import lax


def warmup(step):
    return 1e-3 * step / 100.0


def cosine(step):
    return 1e-3 * 0.5 * (1.0 + jnp.cos(jnp.pi * step / 1000.0))


@jax.jit
def learning_rate(step):
    return lax.cond(step < 100, warmup(step), cosine(step))  # expect: branch-called-not-passed


def main():
    return learning_rate(jnp.float32(20.0))


def demonstrate():
    try:
        main()
    except TypeError:
        return
    assert False
