"""after running mean kept by a jitted __call__; slug: self-mutation"""
import jax
import jax.numpy as jnp


class RunningNorm:
    def __init__(self, dim):
        self.mean = jnp.zeros(dim)
        self.apply = jax.jit(self._apply)

    def _apply(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)  # expect: self-mutation
        return x - self.mean


def stream(xs):
    norm = RunningNorm(2)
    for x in xs:
        out = norm.apply(x)
    return out, norm.mean + 0.0


def demonstrate():
    try:
        stream([jnp.ones((3, 2))] * 2)
    except Exception as err:
        assert type(err).__name__ == 'UnexpectedTracerError', repr(err)
    else:
        raise AssertionError('expected UnexpectedTracerError')
