"""after the history of a filter grows with time; slug: varying-shape"""

import jax
import jax.numpy as jnp

traces = []


@jax.jit
def smooth(history):
    traces.append(history.shape)
    weights = jnp.exp(-jnp.arange(history.shape[0], dtype=jnp.float32))
    return jnp.sum(history * weights) / jnp.sum(weights)


def run(signal):
    estimates = []
    history = jnp.zeros((0,))
    for t in range(40):
        history = jnp.concatenate([signal[t][None], history])
        estimates.append(smooth(history))  # expect: varying-shape
    return jnp.stack(estimates)


def main():
    return run(jnp.sin(jnp.arange(40.0)))


def demonstrate():
    main()
    assert len(traces) == 40
