"""Predator-prey dynamics with a Runge-Kutta step."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class LotkaVolterra:
    growth: float = 1.1
    predation: float = 0.4
    death: float = 0.4
    conversion: float = 0.1
    dt: float = 0.05

    def rates(self, state):
        prey, predators = state
        meetings = prey * predators
        return jnp.stack(
            [
                self.growth * prey - self.predation * meetings,
                self.conversion * meetings - self.death * predators,
            ]
        )

    def _runge_kutta(self, state):
        k1 = self.rates(state)
        k2 = self.rates(state + 0.5 * self.dt * k1)
        k3 = self.rates(state + 0.5 * self.dt * k2)
        k4 = self.rates(state + self.dt * k3)
        return state + self.dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    @property
    def step(self):
        return jax.jit(self._runge_kutta)  # expect: bound-method-jit


def trajectory(system, state, steps):
    states = [state]
    for _ in range(steps):
        state = system.step(state)
        states.append(state)
    return states


def main():
    compiled = []

    def listener(event, duration, **kwargs):
        if event.endswith("backend_compile_duration"):
            compiled.append(event)

    system = LotkaVolterra()
    start = jnp.array([10.0, 5.0])
    jax.monitoring.register_event_duration_secs_listener(listener)
    states = trajectory(system, start, steps=12)
    print("state after 12 steps:", states[-1], "compilations:", len(compiled))
    assert len(compiled) == 12


if __name__ == "__main__":
    main()
