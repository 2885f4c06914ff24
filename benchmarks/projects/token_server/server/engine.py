import functools

import jax
import jax.numpy as jnp

from . import cache as kv
from . import model, sampling
from .config import ServingOptions


@functools.partial(jax.jit, static_argnames="config", donate_argnames="cache")
def decode(params, token, cache, config):
    return model.forward(params, token, cache, config)


def generate(params, config, prompt, key, steps):
    cache = kv.Cache.empty(config, len(prompt) + steps)
    for token in prompt:
        logits, cache = decode(params, token, cache, config)
    out = []
    for sub in jax.random.split(key, steps):
        token = sampling.pick(sampling.truncate(logits, ServingOptions.top_k), sub)
        logits, cache = decode(params, token, cache, config)
        out.append(token)
    return jnp.stack(out)


def speculate(params, config, cache, tokens):
    """Logits of each token as the next one."""
    guesses = []
    for token in tokens:
        logits, _ = decode(params, token, cache, config)  # expect: use-after-donate
        guesses.append(logits)
    return jnp.stack(guesses)


@jax.jit
def norms(params, cache):
    return model.attention_norms(params, cache)


def set_temperature(value):
    ServingOptions.temperature = value
