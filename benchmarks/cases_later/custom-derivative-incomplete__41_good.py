"""a clipped gradient whose backward rule forgets an input; slug: none"""
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
    return (None, None, jnp.clip(g, lo, hi))


clip_gradient.defvjp(fwd, bwd)


def main():
    return jax.grad(lambda x: jnp.sum(clip_gradient(-1.0, 1.0, x) ** 3))(jnp.arange(3.0))


def demonstrate():
    main()
