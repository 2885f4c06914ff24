"""the axes of a reduction as a list, two calls away; slug: unhashable-static-argument"""
import jax
import jax.numpy as jnp


def _reduce(x, axes, keep):
    return jnp.sum(x**2, axis=tuple(axes), keepdims=keep)


reduce_power = jax.jit(_reduce, static_argnames=("axes", "keep"))


def power(x, axes):
    return reduce_power(x, axes, keep=False)  # expect: unhashable-static-argument


def spectrum(signal):
    windows = signal.reshape(4, 8, -1)
    return power(windows, [0, 1])


def main():
    return spectrum(jnp.arange(64.0))


def demonstrate():
    try:
        main()
    except ValueError as err:
        return str(err)
    raise AssertionError("expected a failure")
