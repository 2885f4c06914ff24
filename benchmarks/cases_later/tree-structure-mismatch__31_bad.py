"""after a moving average started with the wrong container; slug: tree-structure-mismatch"""

import jax
import jax.numpy as jnp


def init(key):
    k1, k2 = jax.random.split(key)
    return {"w": jax.random.normal(k1, (3,)), "b": jax.random.normal(k2, ())}


def ema_update(average, params, decay=0.99):
    return jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, average, params)  # expect: tree-structure-mismatch


def main():
    params = init(jax.random.key(0))
    average = {"w": jnp.zeros(3)}
    for _ in range(2):
        average = ema_update(average, params)
    return average


def demonstrate():
    try:
        main()
    except ValueError:
        return
    assert False
