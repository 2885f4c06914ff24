import jax
import jax.numpy as jnp

from . import cache as kv


def init(key, config):
    names = ("q", "k", "v", "out")
    keys = jax.random.split(key, 1 + config.layers)
    layers = [
        {name: 0.1 * jax.random.normal(k, (config.width, config.width)) for name, k in zip(names, jax.random.split(key, 4))}
        for key in keys[1:]
    ]
    return {"embed": jax.random.normal(keys[0], (config.vocab, config.width)), "layers": layers}


def attend(layer, number, x, cache, config):
    cache = kv.write(cache, number, x @ layer["k"], x @ layer["v"])
    scores = cache.keys[number] @ (x @ layer["q"])
    if config.causal:
        scores = jnp.where(kv.mask(cache), scores, -1e9)
    mixed = jax.nn.softmax(scores) @ cache.values[number]
    return x + mixed @ layer["out"], cache


def forward(params, token, cache, config):
    x = params["embed"][token]
    for number, layer in enumerate(params["layers"]):
        x, cache = attend(layer, number, x, cache, config)
    return params["embed"] @ x, cache._replace(length=cache.length + 1)


def attention_norms(params, cache):
    return [jnp.linalg.norm(kv.visible(cache, n)) for n in range(len(params["layers"]))]
