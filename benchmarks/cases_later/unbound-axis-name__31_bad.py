"""after data-parallel helper used without a mapped axis; slug: unbound-axis-name"""

import functools

import jax
import jax.numpy as jnp


def sync(tree):
    return jax.tree.map(lambda g: jax.lax.pmean(g, axis_name="devices"), tree)  # expect: unbound-axis-name


def loss(params, x):
    return jnp.mean((x @ params["w"]) ** 2)


def local_step(params, x):
    grads = jax.grad(loss)(params, x)
    grads = sync(grads)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


step = jax.vmap(local_step, in_axes=(None, 0), axis_name="batch")


def main():
    return step({"w": jnp.ones(3)}, jnp.ones((2, 5, 3)))


def demonstrate():
    try:
        main()
    except NameError:
        return
    assert False
