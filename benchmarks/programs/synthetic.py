import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(0)
x = jax.random.normal(key, (100,))
noise = jax.random.normal(key, (100,))
y = 3.0 * x + 0.1 * noise

# --- what it should do
assert not jnp.array_equal(x, noise)
