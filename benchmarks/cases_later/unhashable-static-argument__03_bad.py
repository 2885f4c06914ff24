"""after general knowledge; slug: unhashable-static-argument"""
import functools

import jax
import jax.numpy as jnp


class MLP:
    def __init__(self, sizes):
        self.sizes = sizes

    @functools.partial(jax.jit, static_argnums=(0, 3))
    def forward(self, params, x, activations):
        for w, act in zip(params, activations):
            x = jnp.tanh(x @ w) if act == "tanh" else x @ w
        return x

    def __call__(self, params, x):
        return self.forward(params, x, ["tanh"] * (len(self.sizes) - 1))  # expect: unhashable-static-argument


def run():
    return MLP((2, 2))([jnp.eye(2)], jnp.ones(2))


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
