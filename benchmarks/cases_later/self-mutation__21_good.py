"""after running mean kept by a jitted __call__; slug: self-mutation; corrected twin"""
import jax
import jax.numpy as jnp


class RunningNorm:
    def __init__(self, dim):
        self.mean = jnp.zeros(dim)
        self.apply = jax.jit(self._apply)

    def _apply(self, x, mean):
        mean = 0.9 * mean + 0.1 * x.mean(0)
        return x - mean, mean


def stream(xs):
    norm = RunningNorm(2)
    for x in xs:
        out, norm.mean = norm.apply(x, norm.mean)
    return out, norm.mean + 0.0


def demonstrate():
    stream([jnp.ones((3, 2))] * 2)
