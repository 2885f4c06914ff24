"""after general knowledge; slug: untracked-static-state; corrected twin"""
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(eq=False)
class Schedule:
    rate: float = 0.1

    def cool(self):
        self.rate *= 0.5


@jax.jit
def step(w, grad, rate):
    return w - rate * grad


def train(w, grads):
    schedule = Schedule()
    for g in grads:
        w = step(w, g, schedule.rate)
        schedule.cool()
    return w


def demonstrate():
    assert abs(float(train(jnp.float32(1.0), [jnp.float32(1.0)] * 2)) - 0.85) < 1e-6
