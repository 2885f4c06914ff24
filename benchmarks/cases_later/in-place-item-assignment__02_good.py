"""after general knowledge; slug: in-place-item-assignment; corrected twin"""
import jax.numpy as jnp
from jax import vmap


def banded(diagonal, off):
    n = diagonal.shape[0]
    i = jnp.arange(n - 1)
    matrix = jnp.diag(diagonal).at[i, i + 1].set(off)
    return matrix.at[i + 1, i].set(off)


def spectra(diagonals, offs):
    return vmap(lambda d, o: jnp.linalg.eigvalsh(banded(d, o)))(diagonals, offs)


def demonstrate():
    spectra(jnp.ones((2, 4)), jnp.ones((2, 3)))
