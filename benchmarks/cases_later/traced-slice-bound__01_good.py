"""after general knowledge; slug: traced-slice-bound; corrected twin"""
import jax
import jax.numpy as jnp


def window(series, start, width=16):
    return jax.lax.dynamic_slice_in_dim(series, start, width)


def autocorrelation(series, starts):
    def energy(start):
        piece = window(series, start)
        return jnp.sum(piece * piece)

    return jax.vmap(energy)(starts)


def demonstrate():
    autocorrelation(jnp.arange(64.0), jnp.arange(4))
