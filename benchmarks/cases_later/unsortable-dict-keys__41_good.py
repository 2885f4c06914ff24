"""layers by index with a head by name; slug: none"""
import jax
import jax.numpy as jnp


def init(key, depth):
    keys = jax.random.split(key, depth + 1)
    params = {}
    for i in range(depth):
        params[i] = jax.random.normal(keys[i], (4, 4))
    params[depth] = jax.random.normal(keys[-1], (4, 1))
    return params


def norm(params):
    return jnp.sqrt(sum(jnp.sum(p**2) for p in jax.tree.leaves(params)))


def main():
    return norm(init(jax.random.key(0), 2))


def demonstrate():
    main()
