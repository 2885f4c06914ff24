"""Lotka-Volterra simulation that streams populations to a recorder on the host."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback


class Recorder:
    def __init__(self, every: int):
        self.every = every
        self.rows = []

    def append(self, step, populations):
        if int(step) % self.every == 0:
            self.rows.append((int(step), *np.asarray(populations).tolist()))
        return np.int32(len(self.rows))

    def emit(self, step, populations):
        counter = jax.ShapeDtypeStruct((), jnp.int32)
        return io_callback(self.append, counter, step, populations, ordered=True)


def growth(populations, rates):
    prey, predator = populations
    birth, hunt, feed, death = rates
    return jnp.stack([prey * (birth - hunt * predator), predator * (feed * prey - death)])


def rk2(populations, rates, dt):
    middle = populations + 0.5 * dt * growth(populations, rates)
    return populations + dt * growth(middle, rates)


def make_simulation(recorder, rates, dt=0.01):
    def body(step, populations):
        recorder.emit(step, populations)
        return rk2(populations, rates, dt)

    @partial(jax.jit, static_argnames="steps")
    def simulate(populations, steps):
        return jax.lax.fori_loop(0, steps, body, populations)

    return simulate


def main():
    recorder = Recorder(every=100)
    simulate = make_simulation(recorder, rates=(1.1, 0.4, 0.1, 0.4))
    final = simulate(jnp.array([10.0, 5.0]), steps=1000)
    jax.block_until_ready(final)
    print(len(recorder.rows), "rows, final", final)


if __name__ == "__main__":
    main()


def demonstrate():
    recorder = Recorder(every=10)
    simulate = make_simulation(recorder, rates=(1.1, 0.4, 0.1, 0.4))
    jax.block_until_ready(simulate(jnp.array([10.0, 5.0]), steps=50))
    jax.effects_barrier()
    assert [row[0] for row in recorder.rows] == [0, 10, 20, 30, 40]
