"""after general knowledge; slug: weak-type-recompile"""
import jax
import jax.numpy as jnp


@jax.jit
def amplify(signal, gain):
    return jnp.tanh(gain * signal)


def demo_levels(signal):
    quiet = amplify(signal, 0.5)
    loud = amplify(signal, 2)  # expect: weak-type-recompile
    return quiet, loud


def demonstrate():
    demo_levels(jnp.ones(3))
    assert amplify._cache_size() == 2
