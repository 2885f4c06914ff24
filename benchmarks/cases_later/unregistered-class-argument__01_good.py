"""after general knowledge; slug: unregistered-class-argument; corrected twin"""
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
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
        g = gradient(camera, points, pixels)
        camera = Camera(camera.focal - 0.1 * g.focal, camera.centre - 0.1 * g.centre)
    return camera


def demonstrate():
    calibrate(jnp.ones((4, 3)), jnp.zeros((4, 2)))
