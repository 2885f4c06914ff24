"""after general knowledge; slug: grad-integer-input"""
import jax
import jax.numpy as jnp


def wave(t, frequency):
    return jnp.sin(2 * jnp.pi * frequency * t)


def slopes(frequency, n=8):
    velocity = jax.vmap(jax.grad(wave), in_axes=(0, None))
    ticks = jnp.arange(n)
    return velocity(ticks, frequency)  # expect: grad-integer-input


def demonstrate():
    try:
        slopes(0.1)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
