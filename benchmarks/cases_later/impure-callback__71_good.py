"""A bouncing ball whose impacts are recorded on the host."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Ball(NamedTuple):
    height: jax.Array
    speed: jax.Array


class Recorder:
    """Collects the energy of the ball while the simulation runs."""

    def __init__(self):
        self.energies = []

    def _store(self, energy):
        self.energies.append(float(energy))

    def record(self, energy):
        jax.debug.callback(self._store, energy, ordered=True)


def make_simulation(recorder, dt=0.01, gravity=9.81, restitution=0.8):
    def step(ball, _):
        speed = ball.speed - dt * gravity
        height = ball.height + dt * speed
        hit = height < 0.0
        speed = jnp.where(hit, -restitution * speed, speed)
        height = jnp.where(hit, -height, height)
        recorder.record(gravity * height + 0.5 * speed**2)
        return Ball(height, speed), height

    @jax.jit
    def simulate(ball):
        return jax.lax.scan(step, ball, None, length=200)

    return simulate


def main():
    recorder = Recorder()
    simulate = make_simulation(recorder)
    ball, heights = simulate(Ball(jnp.asarray(1.0), jnp.asarray(0.0)))
    jax.block_until_ready(heights)
    jax.effects_barrier()
    print("final height:", ball.height, "records:", len(recorder.energies))
    assert len(recorder.energies) == 200
    assert recorder.energies[-1] < recorder.energies[0]


if __name__ == "__main__":
    main()
