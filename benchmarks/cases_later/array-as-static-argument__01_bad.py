"""after general knowledge; slug: array-as-static-argument"""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames=("nodes", "order"))
def quadrature(values, nodes, order=2):
    return jnp.sum(values ** order * jnp.asarray(nodes))


def gauss_legendre(n):
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return nodes, weights


def moment(f, n=5):
    nodes, weights = gauss_legendre(n)
    return quadrature(f(nodes), nodes=weights)  # expect: array-as-static-argument


def demonstrate():
    try:
        moment(jnp.cos)
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
