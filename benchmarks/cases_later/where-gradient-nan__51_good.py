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
            safe = jnp.where(squared > 0, squared, 1.0)
            return jnp.where(squared > 0, jnp.sqrt(safe), 0.0) - self.radius

        return distance


def normal(shape, point):
    return jax.grad(shape.field())(point)


def main():
    sphere = Sphere(jnp.zeros(3), jnp.array(1.0))
    return normal(sphere, jnp.zeros(3))


def demonstrate():
    assert not bool(jnp.isnan(main()).any())
