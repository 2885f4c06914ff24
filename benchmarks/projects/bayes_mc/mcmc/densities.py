"""Log densities, and decorators that keep them well behaved."""
import functools
import math

import jax.numpy as jnp
import numpy as np
from jax.scipy.special import gammaln

HALF_LOG_TAU = 0.5 * math.log(2 * math.pi)


def normal(x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    return -0.5 * z * z - jnp.log(scale) - HALF_LOG_TAU


def half_cauchy(log_x, scale=1.0):
    """Of x > 0, in terms of log x; the Jacobian is counted."""
    return math.log(2 / math.pi) - jnp.log(scale) - jnp.log1p((jnp.exp(log_x) / scale) ** 2) + log_x


def student(x, df, loc=0.0, scale=1.0):
    if df <= 0:
        raise ValueError("degrees of freedom must be positive")
    z = (x - loc) / scale
    norm = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * math.log(df * math.pi) - jnp.log(scale)
    return norm - (df + 1) / 2 * jnp.log1p(z * z / df)


def masked_or(default):
    """`default` where the density is not finite."""

    def decorate(density):
        @functools.wraps(density)
        def masked(*args, **kwargs):
            value = density(*args, **kwargs)
            return jnp.where(jnp.isfinite(value), value, default)

        return masked

    return decorate


def finite_or(default):
    """`default` for a density that is not finite."""

    def decorate(density):
        @functools.wraps(density)
        def guarded(*args, **kwargs):
            value = density(*args, **kwargs)
            if not jnp.isfinite(value):  # expect: traced-branch
                return default
            return value

        return guarded

    return decorate


def counted(density):
    """Counts calls, to see how often a density is traced."""

    @functools.wraps(density)
    def wrapper(*args, **kwargs):
        if kwargs.pop("verbose", False):
            wrapper.asked = True
        return density(*args, **kwargs)

    wrapper.asked = False
    return wrapper


@functools.lru_cache(maxsize=None)
def sum_to_zero(n):  # expect: cached-traced-function
    """A basis of the vectors of n numbers whose sum is zero."""
    centred = jnp.eye(n) - 1.0 / n
    return jnp.linalg.qr(centred)[0][:, : n - 1]


@functools.lru_cache(maxsize=None)
def hermite_nodes(n):
    """Nodes and weights of the Gauss-Hermite rule, in NumPy."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(n)
    return nodes.astype(np.float32), (weights / weights.sum()).astype(np.float32)
