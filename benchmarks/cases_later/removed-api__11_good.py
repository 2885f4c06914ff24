"""after jax.tree_map in an update; slug: removed-api; corrected twin"""
import jax
import jax.numpy as jnp


def soft_update(target, online, tau):
    return jax.tree.map(lambda t, o: (1 - tau) * t + tau * o, target, online)


def run():
    online = {"w": jnp.ones((2, 2)), "b": jnp.ones(2)}
    target = jax.tree.map(jnp.zeros_like, online)
    for _ in range(3):
        target = soft_update(target, online, 0.5)
    return target


def demonstrate():
    run()
