"""after general knowledge; slug: custom-derivative-incomplete"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def clip_gradient(x, bound):
    return x


def clip_fwd(x, bound):
    return x, None


def clip_bwd(bound, residual, cotangent):
    return jnp.clip(cotangent, -bound, bound), None  # expect: custom-derivative-incomplete


clip_gradient.defvjp(clip_fwd, clip_bwd)


def loss(w, x):
    return jnp.sum(clip_gradient(w * x, 0.5) ** 2)


gradient = jax.grad(loss)


def demonstrate():
    try:
        gradient(jnp.ones(3), jnp.ones(3))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
