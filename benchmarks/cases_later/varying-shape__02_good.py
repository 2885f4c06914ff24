"""after general knowledge; slug: varying-shape; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def rolling_risk(returns, live):
    return jnp.std(returns, where=live) * jnp.sqrt(252.0)


def expanding_risk(returns, burn_in=5):
    ends = jnp.arange(burn_in, len(returns))
    live = jnp.arange(len(returns)) < ends[:, None]
    return np.asarray(jax.vmap(rolling_risk, in_axes=(None, 0))(returns, live))


def demonstrate():
    expanding_risk(jnp.arange(9.0))
