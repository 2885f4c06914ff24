"""after the step counter lives among the parameters; slug: grad-integer-input"""

import jax
import jax.numpy as jnp


def init_params(key):
    return {
        "w": jax.random.normal(key, (3,)),
        "offset": jnp.zeros(()),
    }


def energy(params, x):
    return jnp.sum((x * params["w"]) ** 2)


def descend(params, x):
    grads = jax.grad(energy)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def main():
    return descend(init_params(jax.random.key(1)), jnp.ones(3))


def demonstrate():
    assert main()["w"].shape == (3,)
