"""after general knowledge; slug: carry-type-mismatch"""
import jax
import jax.numpy as jnp


def count_spikes(voltages, threshold):
    def body(carry, v):
        count, refractory = carry
        spike = (v > threshold) & (refractory <= 0)
        count = count + spike
        refractory = jnp.where(spike, v, refractory - 1)
        return (count, refractory), spike  # expect: carry-type-mismatch

    start = (jnp.zeros((), jnp.int32), jnp.zeros((), jnp.int32))
    (count, _), spikes = jax.lax.scan(body, start, voltages)
    return count, spikes


def demonstrate():
    try:
        count_spikes(jnp.ones(5), 0.5)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
