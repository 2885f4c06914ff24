"""a decay mask that forgets one layer; slug: none"""
import jax
import jax.numpy as jnp


def decay(params, mask, rate):
    return jax.tree.map(lambda p, m: p * (1 - rate * m), params, mask)


def main():
    params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2), "scale": jnp.ones(())}
    mask = {"w": 1.0, "b": 0.0, "scale": 0.0}
    return decay(params, mask, 0.01)


def demonstrate():
    main()
