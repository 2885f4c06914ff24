"""after layers numbered, the head named; slug: unsortable-dict-keys"""

import jax
import jax.numpy as jnp


def init(key, depth):
    params = {}
    for i in range(depth):
        key, sub = jax.random.split(key)
        params[f"layer{i}"] = jax.random.normal(sub, (4, 4))
    params["head"] = jnp.ones((4, 2))
    return params


def decay(params, rate):
    return jax.tree.map(lambda p: p * (1 - rate), params)


def main():
    return decay(init(jax.random.key(0), 3), 0.1)


def demonstrate():
    assert len(main()) == 4
