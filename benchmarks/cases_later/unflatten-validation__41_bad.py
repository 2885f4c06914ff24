"""a registered interval that checks its order; slug: unflatten-validation"""
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Interval:
    lo: jax.Array
    hi: jax.Array

    def __post_init__(self):
        if not self.lo <= self.hi:  # expect: unflatten-validation
            raise ValueError("empty interval")

    def tree_flatten(self):
        return (self.lo, self.hi), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


@jax.jit
def widen(box, by):
    return Interval(box.lo - by, box.hi + by)


def main():
    return widen(Interval(jnp.zeros(()), jnp.ones(())), 0.5)


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TracerBoolConversionError', repr(err)
    else:
        raise AssertionError('expected TracerBoolConversionError')
