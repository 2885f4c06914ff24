"""after general knowledge; slug: jit-in-loop"""
import jax
import jax.numpy as jnp


class Filter:
    def __init__(self, gain):
        self.gain = gain

    def correct(self, estimate, measurement):
        return estimate + self.gain * (measurement - estimate)

    def run(self, measurements):
        estimate = jnp.zeros(measurements.shape[1])
        for z in measurements:
            estimate = jax.jit(self.correct)(estimate, z)  # expect: jit-in-loop
        return estimate


def demonstrate():
    Filter(0.5).run(jnp.ones((3, 2)))
