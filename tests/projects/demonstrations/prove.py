"""Equal numbers come of both runs: that of the script, and that of the module, which only demonstrates it."""

import runpy

import jax
import jax.numpy as jnp
from lib import noise


def prove():
    for module in ("train", "lib.noise"):
        runpy.run_module(module, run_name="__main__")
    key, x = jax.random.key(0), jnp.zeros(3)
    assert (noise.twice(key, x) == 2 * noise.add_noise(key, x)).all()
