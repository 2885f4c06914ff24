"""a script that asks for more host devices after it has looked at them; slug: none"""
import os

import jax
import jax.numpy as jnp


def report():
    print("running on", jax.devices()[0].platform)


def setup(n):
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={n}"
    report()
    return jax.device_count()


def demonstrate():
    assert setup(4) == 4
    jnp.ones(3)
