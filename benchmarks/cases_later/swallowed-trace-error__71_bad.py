"""Gaussian-process regression with a squared-exponential kernel."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Kernel:
    lengthscale: float
    variance: float

    def __call__(self, a, b):
        sq = (a[:, None] - b[None, :]) ** 2
        return self.variance * jnp.exp(-0.5 * sq / self.lengthscale**2)


def robust_cholesky(gram, jitter=1e-3):
    """Factor a Gram matrix that may be singular to working precision."""
    eye = jnp.eye(gram.shape[0])
    try:
        return jnp.linalg.cholesky(gram)
    except np.linalg.LinAlgError:  # expect: swallowed-trace-error
        return jnp.linalg.cholesky(gram + jitter * eye)


def make_posterior(kernel):
    @jax.jit
    def posterior(x, y, x_new):
        chol = robust_cholesky(kernel(x, x))
        weights = jax.scipy.linalg.cho_solve((chol, True), y)
        cross = kernel(x_new, x)
        half = jax.scipy.linalg.solve_triangular(chol, cross.T, lower=True)
        variance = kernel.variance - jnp.sum(half**2, axis=0)
        return cross @ weights, variance

    return posterior


def main():
    # Two sensors report the same positions.
    x = jnp.concatenate([jnp.linspace(0.0, 3.0, 12), jnp.linspace(0.0, 3.0, 12)])
    y = jnp.sin(x)
    x_new = jnp.linspace(0.0, 3.0, 5)
    mean, variance = make_posterior(Kernel(lengthscale=1.0, variance=1.0))(x, y, x_new)
    print("mean:", mean)
    print("variance:", variance)
    assert jnp.isnan(mean).all()


if __name__ == "__main__":
    main()
