"""an axpy kernel that adds a reference; slug: pallas-ref-misuse"""
from functools import partial

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def axpy_kernel(x_ref, y_ref, out_ref, *, scale):
    out_ref[...] = scale * x_ref[...] + y_ref[...]


def axpy(scale, x, y):
    kernel = partial(axpy_kernel, scale=scale)
    call = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)
    return call(x, y)


def main():
    return axpy(2.0, jnp.arange(8.0), jnp.ones(8))


def demonstrate():
    main()
