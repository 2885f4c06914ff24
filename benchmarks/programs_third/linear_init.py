import jax
import jax.numpy as jnp


def init(key, sizes):
    layers = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        w = jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in)
        b = jax.random.normal(key, (n_out,))
        layers.append((w, b))
    return layers


# --- what it should do
(a, _), (b, _) = init(jax.random.key(0), [3, 3, 3])
assert not bool((a == b).all())
