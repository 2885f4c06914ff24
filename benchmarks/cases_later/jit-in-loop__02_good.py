"""after general knowledge; slug: jit-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


class Filter:
    def __init__(self, gain):
        self.gain = gain

    def correct(self, estimate, measurement):
        return estimate + self.gain * (measurement - estimate)

    def run(self, measurements):
        estimate = jnp.zeros(measurements.shape[1])
        return jax.lax.scan(lambda e, z: (self.correct(e, z), None), estimate, measurements)[0]


def demonstrate():
    Filter(0.5).run(jnp.ones((3, 2)))
