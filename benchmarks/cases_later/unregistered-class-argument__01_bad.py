"""after general knowledge; slug: unregistered-class-argument"""
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Camera:
    focal: jax.Array
    centre: jax.Array

    def project(self, points):
        return self.focal * points[..., :2] / points[..., 2:] + self.centre


def reprojection_error(camera, points, pixels):
    return jnp.mean((camera.project(points) - pixels) ** 2)


def calibrate(points, pixels, steps=2):
    camera = Camera(jnp.array(1.0), jnp.zeros(2))
    gradient = jax.jit(jax.grad(reprojection_error))
    for _ in range(steps):
        g = gradient(camera, points, pixels)  # expect: unregistered-class-argument
        camera = Camera(camera.focal - 0.1 * g.focal, camera.centre - 0.1 * g.centre)
    return camera


def demonstrate():
    try:
        calibrate(jnp.ones((4, 3)), jnp.zeros((4, 2)))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
