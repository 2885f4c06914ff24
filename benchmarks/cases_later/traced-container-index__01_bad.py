"""after general knowledge; slug: traced-container-index"""
import jax
import jax.numpy as jnp

KERNELS = [jnp.array([1.0, 0.0, -1.0]), jnp.array([1.0, 2.0, 1.0]), jnp.array([0.0, 1.0, 0.0])]


def smooth(signal, which):
    return jnp.convolve(signal, KERNELS[which], mode="same")  # expect: traced-container-index


def augment(key, signals):
    choice = jax.random.randint(key, (signals.shape[0],), 0, len(KERNELS))
    return jax.vmap(smooth)(signals, choice)


def demonstrate():
    try:
        augment(jax.random.key(0), jnp.ones((4, 8)))
    except Exception as err:
        assert type(err).__name__ == 'TracerIntegerConversionError', repr(err)
    else:
        raise AssertionError('expected TracerIntegerConversionError')
