"""a growing window given to a compiled filter; slug: varying-shape"""
import jax
import jax.numpy as jnp


@jax.jit
def smooth(window):
    weights = jnp.exp(-jnp.arange(window.shape[0])[::-1] / 4.0)
    return jnp.sum(weights * window) / jnp.sum(weights)


def online(series):
    estimates = []
    for t in range(1, len(series) + 1):
        start = max(0, min(t - 1, len(series) - 4))
        estimates.append(smooth(jax.lax.dynamic_slice(series, (start,), (4,))))
    return jnp.stack(estimates)


def main():
    return online(jnp.sin(jnp.arange(20.0)))


def demonstrate():
    main()
    assert smooth._cache_size() == 1, smooth._cache_size()
