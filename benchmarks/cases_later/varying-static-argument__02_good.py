"""after general knowledge; slug: varying-static-argument; corrected twin"""
import jax
import jax.numpy as jnp


class Annealer:
    def __init__(self):
        self._step = jax.jit(self._raw_step)

    def _raw_step(self, x, beta):
        return x - 0.01 * beta * jnp.sin(x)

    def run(self, x, schedule):
        for beta in schedule:
            x = self._step(x, beta=float(beta))
        return x


def anneal(x):
    annealer = Annealer()
    return annealer.run(x, jnp.linspace(0.1, 1.0, 12)), annealer


def demonstrate():
    assert anneal(jnp.ones(2))[1]._step._cache_size() == 1
