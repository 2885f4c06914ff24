"""after general knowledge; clean: masks handled with where and size=, data-dependent work on the host"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def robust_mean(x, cut):
    deviation = jnp.abs(x - jnp.median(x))
    keep = deviation < cut
    idx = jnp.nonzero(keep, size=4, fill_value=0)[0]
    x = jnp.where(keep, x, 0.0)
    x = x.at[idx].add(0.0)
    return x.sum() / jnp.maximum(keep.sum(), 1)


def clean_table(table, cut):
    ok = ~np.isnan(np.asarray(table))
    rows = table[ok.all(axis=1)]
    labels = jnp.unique(rows[:, 0].astype(int))
    return rows, labels, robust_mean(rows[:, 1], cut)


def demonstrate():
    clean_table(jnp.arange(8.0).reshape(4, 2), 3.0)
