"""after general knowledge; slug: numpy-on-tracer"""
import jax
import jax.numpy as jnp
import numpy as np


class Rotation:
    def __init__(self, axis):
        self.axis = axis

    def matrix(self, angle):
        c, s = np.cos(angle), jnp.sin(angle)  # expect: numpy-on-tracer
        return jnp.array([[c, -s], [s, c]])

    def __matmul__(self, points):
        return points @ self.matrix(self.axis).T


def alignment(angle, source, target):
    return jnp.sum((Rotation(angle) @ source - target) ** 2)


align = jax.jit(jax.grad(alignment))


def demonstrate():
    try:
        align(0.3, jnp.ones((4, 2)), jnp.ones((4, 2)))
    except Exception as err:
        assert type(err).__name__ == 'TracerArrayConversionError', repr(err)
    else:
        raise AssertionError('expected TracerArrayConversionError')
