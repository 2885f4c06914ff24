"""a fused multiply-add kernel on references; slug: none"""
import functools

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def fma_kernel(x_ref, y_ref, z_ref, o_ref, *, scale):
    o_ref[...] = scale * x_ref[...] * y_ref[...] + z_ref[...]


def fma(x, y, z, scale=2.0):
    kernel = functools.partial(fma_kernel, scale=scale)
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x, y, z)


def main():
    a = jnp.ones((8, 8))
    return fma(a, a, a)


def demonstrate():
    main()
