"""after a counter of calls kept in a module global; slug: global-mutation"""
import jax
import jax.numpy as jnp

N_UPDATES = 0


@jax.jit
def polyak(target, online):
    global N_UPDATES
    N_UPDATES += 1  # expect: global-mutation
    return jax.tree.map(lambda t, o: 0.99 * t + 0.01 * o, target, online)


def run(steps):
    online = {"w": jnp.ones(3)}
    target = {"w": jnp.zeros(3)}
    for _ in range(steps):
        target = polyak(target, online)
    return target


def demonstrate():
    run(5)
    assert N_UPDATES == 1
