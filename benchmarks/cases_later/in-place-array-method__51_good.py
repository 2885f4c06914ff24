"""a table of counts filled by NumPy's unbuffered add; slug: in-place-array-method"""
import jax
import jax.numpy as jnp
import numpy as np

edges = jnp.array([[0, 1], [1, 2], [2, 0], [0, 2]])


def main():
    degree = jnp.zeros(3)
    degree = degree.at[edges[:, 0]].add(1.0)
    laplacian = jnp.diag(degree)
    return laplacian - jnp.eye(3)


def demonstrate():
    main()
