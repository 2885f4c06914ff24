"""after step counter in a state object passed by closure; slug: self-mutation"""
import jax
import jax.numpy as jnp


class Schedule:
    def __init__(self, base):
        self.base = base
        self.step = 0

    def __call__(self):
        self.step += 1  # expect: self-mutation
        return self.base / self.step


def minimise(w, n):
    lr = Schedule(0.5)

    @jax.jit
    def update(w):
        return w - lr() * 2 * w

    for _ in range(n):
        w = update(w)
    return w, lr


def demonstrate():
    _, lr = minimise(jnp.ones(2), 3)
    assert lr.step == 1
