"""after one branch of a conditional casts to half precision; slug: carry-type-mismatch"""

import jax
import jax.numpy as jnp


def quantize(x):
    return jnp.round(x * 8.0).astype(jnp.float16) / 8


def keep(x):
    return x


def layer(x, active):
    return jax.lax.cond(active, quantize, keep, x)  # expect: carry-type-mismatch


@jax.jit
def network(x, active):
    for _ in range(2):
        x = layer(jnp.tanh(x).astype(jnp.float32), active)
    return x


def main():
    return network(jnp.ones((3, 3)), True)


def demonstrate():
    try:
        main()
    except TypeError:
        return
    assert False
