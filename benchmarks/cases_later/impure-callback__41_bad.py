"""an oracle that counts how often it is asked; slug: impure-callback"""
import jax
import jax.numpy as jnp
import numpy as np


class Oracle:
    def __init__(self):
        self.calls = 0

    def _evaluate(self, x):
        self.calls += 1
        return np.sin(np.asarray(x)).astype(np.float32)

    def __call__(self, x):
        return jax.pure_callback(self._evaluate, jax.ShapeDtypeStruct(x.shape, jnp.float32), x)  # expect: impure-callback


oracle = Oracle()


@jax.jit
def objective(x):
    wasted = oracle(x)
    return jnp.sum(x**2)


def demonstrate():
    objective(jnp.ones(3))
    assert oracle.calls == 0
