"""after general knowledge; slug: varying-shape"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def rolling_risk(returns):
    return jnp.std(returns) * jnp.sqrt(252.0)


def expanding_risk(returns, burn_in=5):
    out = []
    for end in range(burn_in, len(returns)):
        out.append(rolling_risk(returns[:end]))  # expect: varying-shape
    return np.asarray(out)


def demonstrate():
    expanding_risk(jnp.arange(9.0))
    assert rolling_risk._cache_size() == 4
