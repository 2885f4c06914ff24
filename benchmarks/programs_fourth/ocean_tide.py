import jax
import jax.numpy as jnp


class Tide:
    def __init__(self, amplitudes, periods):
        self.amplitudes = amplitudes
        self.periods = periods

    @jax.jit
    def height(self, t):
        return jnp.sum(self.amplitudes * jnp.cos(2 * jnp.pi * t / self.periods))


# --- what it should do
tide = Tide(jnp.array([1.0, 0.5]), jnp.array([12.0, 6.0]))
assert abs(float(tide.height(0.0)) - 1.5) < 1e-6
