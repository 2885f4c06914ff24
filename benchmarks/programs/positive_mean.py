import jax
import jax.numpy as jnp


@jax.jit
def positive_sum(x):
    return x[x > 0].sum()


# --- what it should do
assert positive_sum(jnp.array([1.0, -2.0, 3.0])) == 4.0
