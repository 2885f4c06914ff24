"""after jax.tree_map in an update; slug: removed-api"""
import jax
import jax.numpy as jnp


def soft_update(target, online, tau):
    return jax.tree_map(lambda t, o: (1 - tau) * t + tau * o, target, online)  # expect: removed-api


def run():
    online = {"w": jnp.ones((2, 2)), "b": jnp.ones(2)}
    target = jax.tree.map(jnp.zeros_like, online)
    for _ in range(3):
        target = soft_update(target, online, 0.5)
    return target


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'AttributeError', repr(err)
    else:
        raise AssertionError('expected AttributeError')
