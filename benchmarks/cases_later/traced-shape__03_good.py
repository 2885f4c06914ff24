"""after general knowledge; slug: traced-shape; corrected twin"""
from functools import partial

import jax
import jax.numpy as jnp


def upsample(signal, config):
    return jnp.repeat(signal, 3)


def make_pipeline(*stages):
    def pipeline(signal, config):
        for stage in stages:
            signal = stage(signal, config)
        return signal

    return jax.jit(pipeline)


process = make_pipeline(lambda s, c: s * c["gain"], upsample)


def run(signal):
    return process(signal, {"gain": 0.5, "factor": 3})


def demonstrate():
    run(jnp.ones(4))
