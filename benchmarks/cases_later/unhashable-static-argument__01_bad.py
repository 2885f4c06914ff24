"""after general knowledge; slug: unhashable-static-argument"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("config",))
def forward(params, x, config):
    for name in config["layers"]:
        x = jnp.maximum(x @ params[name], config["floor"])
    return x


def build_config(names):
    return {"layers": tuple(names), "floor": 0.0}


def predict(params, x):
    return forward(params, x, config=build_config(params))  # expect: unhashable-static-argument


def demonstrate():
    try:
        predict({'a': jnp.eye(2)}, jnp.ones(2))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
