import jax
import jax.numpy as jnp


class Reservoir:
    def __init__(self, level):
        self.level = level
        self.days = 0

    def advance(self, inflow, demand):
        @jax.jit
        def balance(level):
            self.days += 1
            released = min(level, demand)
            return level + inflow - released, released

        self.level, released = balance(self.level)
        return released


# --- what it should do
dam = Reservoir(jnp.array(5.0))
assert float(dam.advance(1.0, 2.0)) == 2.0
assert float(dam.level) == 4.0
