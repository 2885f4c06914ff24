"""after a kernel that returns its result; slug: pallas-ref-misuse; corrected twin"""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def matmul_kernel(a_ref, b_ref, o_ref):
    o_ref[...] = jnp.dot(a_ref[...], b_ref[...])


def matmul(a, b, block=16):
    m, n = a.shape[0], b.shape[1]
    return pl.pallas_call(
        matmul_kernel,
        grid=(m // block, n // block),
        in_specs=[
            pl.BlockSpec((block, a.shape[1]), lambda i, j: (i, 0)),
            pl.BlockSpec((b.shape[0], block), lambda i, j: (0, j)),
        ],
        out_specs=pl.BlockSpec((block, block), lambda i, j: (i, j)),
        out_shape=jax.ShapeDtypeStruct((m, n), a.dtype),
        interpret=True,
    )(a, b)


def demonstrate():
    matmul(jnp.ones((32, 8)), jnp.ones((8, 32)))
