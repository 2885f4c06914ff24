"""after general knowledge; slug: silent-float64-truncation; corrected twin"""
import jax
import jax.numpy as jnp

PRECISION = {"single": jnp.float32, "double": jnp.float64}


class Integrator:
    def __init__(self, precision="single"):
        self.dtype = PRECISION[precision]

    def time_grid(self, t_end, n):
        return jnp.linspace(0.0, t_end, n, dtype=self.dtype)


def run():
    return Integrator().time_grid(1.0, 11)


def demonstrate():
    assert run().dtype == jnp.float32
