import jax
import jax.numpy as jnp


def leaky(x):
    if x > 0:
        return x
    else:
        return 0.01 * x


leaky_all = jax.jit(jax.vmap(leaky))

# --- what it should do
assert leaky_all(jnp.array([2.0, -1.0])).tolist()[0] == 2.0
