"""a stencil kernel with one tap too few; slug: out-of-bounds-index"""
import jax
import jax.numpy as jnp

TAPS = jnp.array([1.0, -8.0, 8.0, -1.0])


@jax.jit
def derivative(u, dx):
    out = TAPS[0] * jnp.roll(u, 2) + TAPS[1] * jnp.roll(u, 1)
    out = out + TAPS[3] * jnp.roll(u, -1) + TAPS[4] * jnp.roll(u, -2)  # expect: out-of-bounds-index
    return out / (12 * dx)


def demonstrate():
    x = jnp.linspace(0.0, 2 * jnp.pi, 64, endpoint=False)
    got = derivative(jnp.sin(x), x[1] - x[0])
    assert not jnp.allclose(got, jnp.cos(x), atol=1e-2)
