"""after general knowledge; slug: pallas-ref-misuse"""
import functools

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale_kernel(x_ref, scale_ref, o_ref):
    o_ref[...] = jnp.exp(x_ref) * scale_ref[0]  # expect: pallas-ref-misuse


@functools.partial(jax.jit, static_argnames="block")
def scaled_exp(x, scale, block=4):
    return pl.pallas_call(
        scale_kernel,
        grid=(x.shape[0] // block,),
        in_specs=[pl.BlockSpec((block,), lambda i: (i,)), pl.BlockSpec((1,), lambda i: (0,))],
        out_specs=pl.BlockSpec((block,), lambda i: (i,)),
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, scale)


def demonstrate():
    try:
        scaled_exp(jnp.ones(8), jnp.ones(1))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
