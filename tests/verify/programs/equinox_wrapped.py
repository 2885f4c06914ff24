"""Equinox: modules and methods, fresh functions, filtered gradients, compiled by its wrappers and by JAX's own."""

import equinox as eqx
import jax
import jax.numpy as jnp
from counted import ran

net = eqx.nn.MLP(2, 1, 4, 1, key=jax.random.key(0))
rows = jax.jit(jax.vmap(net))  # jitted: jax.vmap(net): first shape
whole = eqx.filter_jit(net)  # jitted: net (MLP): first
method = eqx.filter_jit(net.__call__)  # jitted: net.__call__: first dtype


class Model(eqx.Module):
    w: jax.Array

    # reasons: first rank
    @eqx.filter_jit
    def __call__(self, x):
        ran("Model.__call__")
        return self.w * x


# reasons: first shape
@eqx.filter_jit
def kept(model, x):
    ran("kept")
    return jax.vmap(model)(x)


# reasons: first shape
@eqx.filter_jit
@eqx.filter_value_and_grad
def loss(model, x):
    ran("loss")
    return jnp.mean(jax.vmap(model)(x) ** 2)


# reasons: first shape
@eqx.filter_jit(donate="none")
def step(model, x):
    ran("step")
    value, grads = eqx.filter_value_and_grad(total)(model, x)
    return eqx.apply_updates(model, grads), value


# reasons: first not-cached
def total(model, x):
    ran("total")
    return jnp.sum(jax.vmap(model)(x))


def evaluate(model, x):
    # reasons: first new-function-object new-function-object new-function-object
    @eqx.filter_jit
    def forward(m, a):
        ran("evaluate.<locals>.forward")
        return jax.vmap(m)(a).sum()

    return forward(model, x)


def plain(model, x):
    # reasons: first new-function-object new-function-object new-function-object
    @jax.jit
    def fixed(a):
        ran("plain.<locals>.fixed")
        return jax.vmap(model)(a).sum()

    return fixed(x)


def main():
    model = Model(jnp.ones(3))
    model(jnp.ones(3))
    model(jnp.ones(3))
    model(jnp.ones((2, 3)))
    for size in (4, 4, 3, 4):
        rows(jnp.ones((size, 2)))
        whole(jnp.ones(2))
        kept(net, jnp.ones((size, 2)))
        loss(net, jnp.ones((size, 2)))
        step(net, jnp.ones((size, 2)))
        evaluate(net, jnp.ones((5, 2)))
        plain(net, jnp.ones((5, 2)))
    for kind in (jnp.float32, jnp.float32, jnp.bfloat16):
        method(jnp.ones(2, kind))


main()
