import jax
import jax.numpy as jnp


def move(key, x):
    return x + jax.random.normal(key, x.shape)


def move_all(key, xs):
    return jax.vmap(lambda x: move(key, x))(xs)


# --- what it should do
y = move_all(jax.random.key(0), jnp.zeros((3, 2)))
assert not jnp.array_equal(y[0], y[1])
