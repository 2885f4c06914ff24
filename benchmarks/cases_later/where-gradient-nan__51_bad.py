"""a signed distance whose gradient is nan at the centre; slug: where-gradient-nan"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Sphere(eqx.Module):
    centre: jax.Array
    radius: jax.Array

    def field(self):
        def distance(point):
            squared = jnp.sum((point - self.centre) ** 2)
            return jnp.where(squared > 0, jnp.sqrt(squared), 0.0) - self.radius  # expect: where-gradient-nan

        return distance


def normal(shape, point):
    return jax.grad(shape.field())(point)


def main():
    sphere = Sphere(jnp.zeros(3), jnp.array(1.0))
    return normal(sphere, jnp.zeros(3))


def demonstrate():
    assert bool(jnp.isnan(main()).any())
