"""after general knowledge; clean: guards on the number of arguments, isinstance, callable, and Python loops over static structure"""
import jax
import jax.numpy as jnp


def apply_all(fns, x, *extras, scale=None):
    for fn in fns:
        x = fn(x) if callable(fn) else x * fn
    if extras:
        x = x + sum(extras)
    scale = 1.0 if scale is None else scale
    if isinstance(x, jax.Array) and x.ndim > 1:
        x = x.reshape(-1)
    while x.ndim < 2:
        x = x[None]
    return x * scale


@jax.jit
def run(x, shift):
    return apply_all((jnp.sin, 2.0), x, shift, scale=x.dtype.itemsize)


def demonstrate():
    run(jnp.ones(3), 1.0)
