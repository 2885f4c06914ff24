"""after selecting parameters by the values of a dict; slug: set-in-pytree"""

import jax
import jax.numpy as jnp


@jax.jit
def global_norm(arrays):
    return jnp.sqrt(sum(jnp.sum(a**2) for a in arrays))


def report(grads):
    return float(global_norm(list(grads.values())))


def main():
    loss = lambda p: jnp.sum(p["w"] ** 2) + p["b"] ** 2
    grads = jax.grad(loss)({"w": jnp.ones(3), "b": 2.0})
    return report(grads)


def demonstrate():
    assert main() > 0
