"""a gate that calls its branches; slug: branch-called-not-passed"""
import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax


class Gated(eqx.Module):
    wide: eqx.nn.Linear
    narrow: eqx.nn.Linear
    threshold: float

    def __init__(self, key):
        a, b = jax.random.split(key)
        self.wide = eqx.nn.Linear(3, 3, key=a)
        self.narrow = eqx.nn.Linear(3, 3, key=b)
        self.threshold = 0.5

    def __call__(self, x):
        is_large = jnp.mean(x) > self.threshold
        return lax.cond(is_large, lambda v: self.wide(v), lambda v: self.narrow(v), x)


@eqx.filter_jit
def run(model, x):
    return model(x)


def main():
    return run(Gated(jax.random.key(0)), jnp.ones(3))


def demonstrate():
    main()
