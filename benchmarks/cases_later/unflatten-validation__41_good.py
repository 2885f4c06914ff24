"""a registered interval that checks its order; slug: none"""
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Interval:
    lo: jax.Array
    hi: jax.Array

    @classmethod
    def checked(cls, lo, hi):
        if not lo <= hi:
            raise ValueError("empty interval")
        return cls(lo, hi)

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
    main()
