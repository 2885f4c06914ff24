"""after general knowledge; slug: pytree-registration-incomplete; corrected twin"""
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Ellipse:
    def __init__(self, a, b, tilt=0.0):
        self.a, self.b, self.tilt = a, b, tilt

    def area(self):
        return jnp.pi * self.a * self.b * jnp.cos(self.tilt)

    def tree_flatten(self):
        return (self.a, self.b, self.tilt), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


area = jax.jit(Ellipse.area)


def demonstrate():
    assert abs(float(area(Ellipse(1.0, 1.0, jnp.pi))) + 3.14159) < 1e-3
