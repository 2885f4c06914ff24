import jax
import jax.numpy as jnp


def melt(temperature, n_steps):
    def step(t, _):
        heated = t + 2.5
        if heated > 10.0:
            heated = 10.0
        return heated

    final, _ = jax.lax.scan(step, temperature, None, length=n_steps)
    return final


# --- what it should do
assert float(melt(jnp.array(0.0), 3)) == 7.5
assert float(melt(jnp.array(0.0), 9)) == 10.0
