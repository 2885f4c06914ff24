"""a predator-prey model whose step returns one value; slug: scan-body-contract"""
import jax
import jax.numpy as jnp
from jax import lax

ALPHA, BETA, GAMMA, DELTA = 1.1, 0.4, 0.4, 0.1


def lotka_volterra(state, dt):
    prey, predator = state
    prey_rate = ALPHA * prey - BETA * prey * predator
    predator_rate = DELTA * prey * predator - GAMMA * predator
    return jnp.stack([prey + dt * prey_rate, predator + dt * predator_rate])  # expect: scan-body-contract


def main():
    start, steps = jnp.array([10.0, 5.0]), jnp.full(50, 0.05)
    return lax.scan(lotka_volterra, start, steps)


def demonstrate():
    try:
        main()
    except TypeError as err:
        return str(err)
    raise AssertionError("expected a failure")
