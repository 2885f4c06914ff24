"""after a host simulator that counts its calls; slug: impure-callback"""

import jax
import jax.numpy as jnp
import numpy as np


class Simulator:
    def __init__(self):
        self.evaluations = 0

    def evaluate(self, x):
        self.evaluations += 1
        return np.sin(x).astype(np.float32)

    def __call__(self, x):
        shape = jax.ShapeDtypeStruct(x.shape, jnp.float32)
        return jax.pure_callback(self.evaluate, shape, x)  # expect: impure-callback


simulator = Simulator()


@jax.jit
def objective(x):
    simulator(x * 2)
    return jnp.sum(x)


def run():
    for i in range(3):
        objective(jnp.full(4, float(i)))
    return simulator.evaluations


def demonstrate():
    assert run() < 3
