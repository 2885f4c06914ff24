"""clean: Pallas kernel with a scratch accumulator and program ids"""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def row_sum_kernel(x_ref, o_ref):
    i = pl.program_id(0)
    block = x_ref[...]

    @pl.when(i >= 0)
    def _():
        o_ref[...] = jnp.sum(block, axis=1, keepdims=True)


def row_sum(x, rows=4):
    return pl.pallas_call(
        row_sum_kernel,
        grid=(x.shape[0] // rows,),
        in_specs=[pl.BlockSpec((rows, x.shape[1]), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((rows, 1), lambda i: (i, 0)),
        out_shape=jax.ShapeDtypeStruct((x.shape[0], 1), x.dtype),
        interpret=True,
    )(x)


def demonstrate():
    assert row_sum(jnp.ones((8, 8)))[0, 0] == 8
