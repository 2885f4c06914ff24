"""after generator and critic on different devices; slug: mixed-committed-devices"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp


def setup():
    first, second = jax.devices()[:2]
    actor = jax.device_put(jnp.ones((3, 3)), first)
    critic = jax.device_put(jnp.ones((3, 1)), second)
    return actor, critic


def value(obs):
    actor, critic = setup()
    hidden = jnp.tanh(obs @ actor)
    return hidden @ critic  # expect: mixed-committed-devices


def demonstrate():
    try:
        value(jnp.ones(3))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
