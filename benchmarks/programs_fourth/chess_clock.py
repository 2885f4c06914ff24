from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Position:
    height: jax.Array
    speed: jax.Array


@jax.jit
def fall(position, dt):
    speed = position.speed - 9.81 * dt
    return Position(position.height + speed * dt, speed)


# --- what it should do
after = fall(Position(jnp.array(10.0), jnp.array(0.0)), 0.1)
assert abs(float(after.speed) + 0.981) < 1e-5
