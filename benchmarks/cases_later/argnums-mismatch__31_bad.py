"""after gradients by coefficients that are passed by name; slug: argnums-mismatch"""

import jax
import jax.numpy as jnp


def residual(u, x, *, nu):
    return jnp.mean((u * x - nu * u**2) ** 2)


class Inverse:
    """Estimates a viscosity from data."""

    def __init__(self, guess):
        self.nu = guess

    def update(self, u, x):
        du, dnu = jax.grad(residual, argnums=(0, 2))(u, x, nu=self.nu)  # expect: argnums-mismatch
        self.nu = self.nu - 0.1 * dnu
        return u - 0.1 * du


def main():
    return Inverse(0.3).update(jnp.ones(4), jnp.arange(4.0))


def demonstrate():
    try:
        main()
    except (TypeError, ValueError):
        return
    assert False
