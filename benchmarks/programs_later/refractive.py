import jax
import jax.numpy as jnp

INDEX_OF_LAYER = (1.0, 1.33, 1.52)


def optical_path(thickness, layers):
    def add(total, pair):
        d, layer = pair
        return total + d * INDEX_OF_LAYER[layer], None

    total, _ = jax.lax.scan(add, 0.0, (thickness, layers))
    return total


# --- what it should do
path = optical_path(jnp.array([1.0, 2.0]), jnp.array([0, 1]))
assert jnp.allclose(path, 1.0 + 2 * 1.33)
