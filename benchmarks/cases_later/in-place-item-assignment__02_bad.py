"""after general knowledge; slug: in-place-item-assignment"""
import jax.numpy as jnp
from jax import vmap


def banded(diagonal, off):
    n = diagonal.shape[0]
    matrix = jnp.diag(diagonal)
    for i in range(n - 1):
        matrix[i, i + 1], matrix[i + 1, i] = off[i], off[i]  # expect: in-place-item-assignment
    return matrix


def spectra(diagonals, offs):
    return vmap(lambda d, o: jnp.linalg.eigvalsh(banded(d, o)))(diagonals, offs)


def demonstrate():
    try:
        spectra(jnp.ones((2, 4)), jnp.ones((2, 3)))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
