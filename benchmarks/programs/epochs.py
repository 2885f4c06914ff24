import jax
import jax.numpy as jnp


def shuffles(key, n, epochs):
    orders = []
    for _ in range(epochs):
        jax.random.split(key)
        orders.append(jax.random.permutation(key, n))
    return orders


# --- what it should do
a, b = shuffles(jax.random.key(3), 32, 2)
assert not jnp.array_equal(a, b)
