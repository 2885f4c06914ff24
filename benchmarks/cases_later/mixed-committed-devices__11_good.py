"""after generator and critic on different devices; slug: mixed-committed-devices; corrected twin"""
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
    return jax.device_put(hidden, jax.devices()[1]) @ critic


def demonstrate():
    value(jnp.ones(3))
