import jax
import jax.numpy as jnp
import math


def black_scholes(spot, strike, sigma, time):
    d1 = (math.log(spot / strike) + 0.5 * sigma**2 * time) / (sigma * math.sqrt(time))
    d2 = d1 - sigma * math.sqrt(time)
    cdf = jax.scipy.stats.norm.cdf
    return spot * cdf(d1) - strike * cdf(d2)


delta = jax.grad(black_scholes)


@jax.jit
def hedge(spots):
    return jax.vmap(lambda s: delta(s, 100.0, 0.2, 1.0))(spots)


# --- what it should do
d = hedge(jnp.array([90.0, 100.0, 110.0]))
assert d.shape == (3,) and bool((jnp.diff(d) > 0).all())
