"""after step counter in a state object passed by closure; slug: self-mutation; corrected twin"""
import jax
import jax.numpy as jnp


class Schedule:
    def __init__(self, base):
        self.base = base
        self.step = 0

    def __call__(self, step):
        return self.base / step


def minimise(w, n):
    lr = Schedule(0.5)

    @jax.jit
    def update(w, step):
        return w - lr(step) * 2 * w

    for step in range(1, n + 1):
        w = update(w, float(step))
    return w, lr


def demonstrate():
    _, lr = minimise(jnp.ones(2), 3)
    assert lr.step == 0
