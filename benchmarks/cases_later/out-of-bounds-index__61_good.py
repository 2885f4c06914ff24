"""Cart-pole dynamics with a hand-tuned linear controller."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Gains:
    position: float = 0.6
    velocity: float = 1.1
    angle: float = 28.0
    spin: float = 5.5


def rest_state():
    return jnp.zeros((4,)).at[2].set(0.05)


def controller(state, gains: Gains):
    push = gains.position * state[0] + gains.velocity * state[1]
    return push + gains.angle * state[2] + gains.spin * state[3]


def derivative(state, force):
    _, velocity, angle, spin = state
    sin, cos = jnp.sin(angle), jnp.cos(angle)
    temp = (force + 0.05 * spin**2 * sin) / 1.1
    spin_rate = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
    return jnp.stack([velocity, temp - 0.05 * spin_rate * cos / 1.1, spin, spin_rate])


def simulate(gains: Gains, steps: int = 300, dt: float = 0.01):
    start = rest_state()
    first_force = controller(start, gains)

    def body(carry, _):
        state, force = carry
        state = state + dt * derivative(state, force)
        return (state, controller(state, gains)), state[2]

    _, angles = jax.lax.scan(body, (start, first_force), length=steps)
    return angles


def main():
    angles = simulate(Gains())
    print("largest lean", jnp.abs(angles).max())


def demonstrate():
    only_spin = Gains(position=0.0, velocity=0.0, angle=0.0, spin=1.0)
    state = jnp.array([1.0, 2.0, 3.0, 4.0])
    value = float(controller(state, only_spin))
    assert float(state.at[3].get(mode="fill", fill_value=-1.0)) == value == 4.0
    assert jnp.abs(simulate(Gains())[-1]) < 0.05
