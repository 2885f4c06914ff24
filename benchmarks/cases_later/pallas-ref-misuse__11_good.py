"""after the kernel adds references instead of their values; slug: pallas-ref-misuse; corrected twin"""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scale_shift_kernel(x_ref, b_ref, o_ref):
    o_ref[...] = jnp.maximum(x_ref[...], 0.0) + b_ref[...]


@jax.jit
def relu_bias(x, b):
    return pl.pallas_call(
        scale_shift_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True
    )(x, b)


def run():
    return relu_bias(jnp.ones((8, 8)), jnp.ones((8, 8)))


def demonstrate():
    try:
        run()
        failed = False
    except Exception:
        failed = True
    assert not failed
