"""a box that checks its bounds whenever it is rebuilt; slug: unflatten-validation"""
import jax
import jax.numpy as jnp
from jax.tree_util import register_pytree_node_class


@register_pytree_node_class
class Box:
    def __init__(self, lower, upper):
        self.lower = lower
        self.upper = upper

    @classmethod
    def checked(cls, lower, upper):
        if not jnp.all(lower <= upper):
            raise ValueError("lower exceeds upper")
        return cls(lower, upper)

    def tree_flatten(self):
        return (self.lower, self.upper), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


@jax.jit
def volume(box):
    return jnp.prod(box.upper - box.lower)


def main():
    boxes = [Box(jnp.zeros(2), jnp.ones(2)), Box(-jnp.ones(2), jnp.ones(2))]
    return sum(volume(box) for box in boxes)


def demonstrate():
    main()
