"""after a kernel that returns its result; slug: pallas-ref-misuse"""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def matmul_kernel(a_ref, b_ref, o_ref):
    return jnp.dot(a_ref[...], b_ref[...])  # expect: pallas-ref-misuse


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
    try:
        matmul(jnp.ones((32, 8)), jnp.ones((8, 32)))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
