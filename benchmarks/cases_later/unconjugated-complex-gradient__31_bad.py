"""after phase retrieval by plain descent; slug: unconjugated-complex-gradient"""

import jax
import jax.numpy as jnp


def misfit(field, measured):
    return jnp.mean((jnp.abs(jnp.fft.fft(field)) - measured) ** 2)


def retrieve(measured, rate, steps):
    field = jnp.exp(1j * jnp.linspace(0.0, 1.0, measured.shape[0]))
    for _ in range(steps):
        g = jax.grad(misfit)(field, measured)
        field = field - rate * g  # expect: unconjugated-complex-gradient
    return misfit(field, measured)


def main(steps):
    return retrieve(jnp.arange(8.0) + 1.0, 0.1, steps)


def demonstrate():
    assert float(main(40)) > float(main(0)) * 0.5
