import jax
import jax.numpy as jnp


def init_mlp(key, sizes):
    params = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        w = jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in)
        params.append((w, jnp.zeros(n_out)))
    return params


# --- what it should do
p = init_mlp(jax.random.key(0), [4, 4, 4])
assert not jnp.array_equal(p[0][0], p[1][0])
