"""after a kernel that scales the reference itself; slug: pallas-ref-misuse"""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale_shift(x_ref, scale_ref, o_ref):
    o_ref[...] = x_ref[...] * scale_ref[0] + 1.0


def apply(x, scale):
    return pl.pallas_call(
        scale_shift,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, scale)


def main():
    return apply(jnp.arange(8.0), jnp.array([2.0]))


def demonstrate():
    assert float(main()[1]) == 3.0
