"""a clipped gradient whose backward rule forgets an input; slug: custom-derivative-incomplete"""
import functools

import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(lo, hi, x):
    return x


def fwd(lo, hi, x):
    return x, (lo, hi)


def bwd(residuals, g):
    lo, hi = residuals
    return (jnp.clip(g, lo, hi),)  # expect: custom-derivative-incomplete


clip_gradient.defvjp(fwd, bwd)


def main():
    return jax.grad(lambda x: jnp.sum(clip_gradient(-1.0, 1.0, x) ** 3))(jnp.arange(3.0))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
