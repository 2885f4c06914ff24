"""Calibrate a nonlinear network of resistors through its fixed point."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class Circuit(NamedTuple):
    coupling: jax.Array
    source: jax.Array


def relax(potential, circuit):
    return jnp.tanh(circuit.coupling @ potential + circuit.source)


def settle(circuit, tol=1e-6, limit=200):
    start = jnp.zeros_like(circuit.source)

    def unsettled(carry):
        potential, previous, count = carry
        return (jnp.abs(potential - previous).max() > tol) & (count < limit)

    def body(carry):
        potential, _, count = carry
        return relax(potential, circuit), potential, count + 1

    first = (relax(start, circuit), start, 0)
    potential, _, _ = lax.while_loop(unsettled, body, first)  # expect: reverse-grad-through-while
    return potential


def calibration_loss(circuit, measured):
    return jnp.mean((settle(circuit) - measured) ** 2)


class Calibrator:
    def __init__(self, rate=0.1):
        self.rate = rate
        self.step = jax.jit(self._step)

    def _step(self, circuit, measured):
        loss, slopes = jax.value_and_grad(calibration_loss)(circuit, measured)
        moved = jax.tree.map(lambda p, s: p - self.rate * s, circuit, slopes)
        return moved, loss

    def fit(self, circuit, measured, rounds):
        loss = None
        for _ in range(rounds):
            circuit, loss = self.step(circuit, measured)
        return circuit, loss


def main(rounds=50):
    coupling_key, source_key = jax.random.split(jax.random.key(80))
    truth = Circuit(
        0.2 * jax.random.normal(coupling_key, (4, 4)), jax.random.normal(source_key, (4,))
    )
    guess = Circuit(jnp.zeros((4, 4)), jnp.zeros(4))
    return Calibrator().fit(guess, settle(truth), rounds)


def demonstrate():
    try:
        main(rounds=1)
    except ValueError as err:
        assert "Reverse-mode" in str(err)
    else:
        raise AssertionError("no error")
