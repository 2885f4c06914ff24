import jax
import jax.numpy as jnp


@jax.jit
def positive_total(values):
    chosen = values[values > 0]
    return jnp.sum(chosen)


# --- what it should do
assert float(positive_total(jnp.array([-1.0, 2.0, 3.0]))) == 5.0
