"""after general knowledge; slug: unhashable-static-argument"""
import jax
import jax.numpy as jnp


def stencil(field, shifts, axis=0):
    return sum(jnp.roll(field, s, axis) for s in shifts) / len(shifts)


stencil_fast = jax.jit(stencil, static_argnums=(1, 2))


class Smoother:
    def __init__(self, radius):
        self.shifts = list(range(-radius, radius + 1))

    def __call__(self, field):
        return stencil_fast(field, self.shifts, 1)  # expect: unhashable-static-argument


def demonstrate():
    try:
        Smoother(1)(jnp.ones((3, 3)))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
