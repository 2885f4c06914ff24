"""after general knowledge; slug: numpy-on-tracer; corrected twin"""
import jax
import jax.numpy as jnp


class Rotation:
    def __init__(self, axis):
        self.axis = axis

    def matrix(self, angle):
        c, s = jnp.cos(angle), jnp.sin(angle)
        return jnp.array([[c, -s], [s, c]])

    def __matmul__(self, points):
        return points @ self.matrix(self.axis).T


def alignment(angle, source, target):
    return jnp.sum((Rotation(angle) @ source - target) ** 2)


align = jax.jit(jax.grad(alignment))


def demonstrate():
    align(0.3, jnp.ones((4, 2)), jnp.ones((4, 2)))
