"""after general knowledge; slug: untracked-static-state"""
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(eq=False)
class Schedule:
    rate: float = 0.1

    def cool(self):
        self.rate *= 0.5


@partial(jax.jit, static_argnames="schedule")
def step(w, grad, schedule):
    return w - schedule.rate * grad  # expect: untracked-static-state


def train(w, grads):
    schedule = Schedule()
    for g in grads:
        w = step(w, g, schedule)
        schedule.cool()
    return w


def demonstrate():
    assert abs(float(train(jnp.float32(1.0), [jnp.float32(1.0)] * 2)) - 0.8) < 1e-6
