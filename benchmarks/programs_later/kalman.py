import jax
import jax.numpy as jnp


class Kalman:
    def __init__(self, gain):
        self.gain = gain
        self.estimate = jnp.zeros(())

    @jax.jit
    def update(self, measurement):
        self.estimate = self.estimate + self.gain * (measurement - self.estimate)
        return self.estimate


# --- what it should do
k = Kalman(0.5)
assert k.update(jnp.array(2.0)) == 1.0
