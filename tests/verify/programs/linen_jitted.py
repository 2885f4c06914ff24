"""Methods of Flax's modules, compiled by the user: the body is the library's, the program is the user's."""

from functools import partial

import counted  # noqa: F401 - counts JAX's log
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    size: int = 3

    @nn.compact
    def __call__(self, x, train=False):
        return nn.Dropout(0.5, deterministic=not train)(nn.Dense(self.size)(x))


net, wide = Net(), Net(5)
key = jax.random.key(0)
init = jax.jit(net.init)  # jitted: net.init: first
variables = init(key, jnp.ones((1, 2)))
init(key, jnp.ones((1, 2)))
other = jax.jit(wide.init)(key, jnp.ones((1, 2)))  # jitted: wide.init: first
predict = jax.jit(net.apply)  # jitted: net.apply: first shape
evaluate = jax.jit(partial(net.apply, train=False))  # jitted: partial(net.apply, train=False): first shape
widely = jax.jit(wide.apply)  # jitted: wide.apply: first
named = jax.jit(net.apply, static_argnames="train")  # jitted: net.apply: first static-value
for rows in (4, 4, 3, 4):
    predict(variables, jnp.ones((rows, 2)))
    evaluate(variables, jnp.ones((rows, 2)))
widely(other, jnp.ones((4, 2)))
for _ in range(3):  # JAX takes a method bound anew for the one that `predict` keeps
    jax.jit(net.apply)(variables, jnp.ones((6, 2)))  # jitted: net.apply: first
for _ in range(3):
    anew = jax.jit(Net().apply)  # jitted: Net().apply: first new-function-object new-function-object
    anew(variables, jnp.ones((9, 2)))
for train in (False, True, False):
    named(variables, jnp.ones((7, 2)), train=train, rngs={"dropout": key})


def run(model):
    return jax.jit(model.apply)  # jitted: model.apply: first


forward = run(net)
forward(variables, jnp.ones((8, 2)))
forward(variables, jnp.ones((8, 2)))
