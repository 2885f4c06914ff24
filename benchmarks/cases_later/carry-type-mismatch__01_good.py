"""after general knowledge; slug: carry-type-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def count_spikes(voltages, threshold):
    def body(carry, v):
        count, refractory = carry
        spike = (v > threshold) & (refractory <= 0)
        count = count + spike
        refractory = jnp.where(spike, v, refractory - 1)
        return (count, refractory), spike

    start = (jnp.zeros((), jnp.int32), jnp.zeros(()))
    (count, _), spikes = jax.lax.scan(body, start, voltages)
    return count, spikes


def demonstrate():
    count_spikes(jnp.ones(5), 0.5)
