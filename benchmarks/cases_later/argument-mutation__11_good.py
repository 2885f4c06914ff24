"""after parameters changed in place and not returned; slug: argument-mutation; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def apply_decay(params, rate):
    params = dict(params)
    for name in params:
        if name.endswith("kernel"):
            params[name] = params[name] * (1 - rate)
    return params


def train(steps):
    params = {"dense_kernel": jnp.ones((2, 2)), "dense_bias": jnp.ones(2)}
    for _ in range(steps):
        params = apply_decay(params, 0.1)
    return params


def demonstrate():
    out = train(3)["dense_kernel"]
    assert not jnp.allclose(out, 1.0)
