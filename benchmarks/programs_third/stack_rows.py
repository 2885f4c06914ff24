import jax
import jax.numpy as jnp


@jax.jit
def summary(x):
    stats = [x.min(), x.mean(), x.max()]
    spread = jnp.max(stats) - jnp.min(stats)
    return jnp.array(stats) / spread


# --- what it should do
assert summary(jnp.array([0.0, 1.0, 2.0])).tolist() == [0.0, 0.5, 1.0]
