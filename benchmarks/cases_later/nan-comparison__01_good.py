"""after general knowledge; slug: nan-comparison; corrected twin"""
import jax
import jax.numpy as jnp


def impute(column, fallback):
    missing = jnp.isnan(column)
    return jnp.where(missing, fallback, column)


@jax.jit
def standardise(table):
    filled = jax.vmap(impute, in_axes=(1, 0), out_axes=1)(table, jnp.nanmean(table, axis=0))
    return (filled - filled.mean(0)) / (filled.std(0) + 1e-6)


def demonstrate():
    assert not bool(jnp.isnan(standardise(jnp.array([[1.0, jnp.nan], [2.0, 3.0]]))).any())
