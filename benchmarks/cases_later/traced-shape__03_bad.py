"""after general knowledge; slug: traced-shape"""
from functools import partial

import jax
import jax.numpy as jnp


def upsample(signal, config):
    return jnp.repeat(signal, config["factor"])  # expect: traced-shape


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
    try:
        run(jnp.ones(4))
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
