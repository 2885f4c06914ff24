import jax
import jax.numpy as jnp

RATES = [0.1, 0.2]


def reaction(concentration, which):
    rate = RATES[which]
    log = []
    log.append(rate)
    return concentration * jnp.exp(-rate)


run = jax.jit(reaction)


# --- what it should do
assert jnp.allclose(run(1.0, 1), jnp.exp(-0.2))
