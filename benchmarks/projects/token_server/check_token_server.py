"""a cache sliced by its traced length and never cleared; options that are baked in; donated, masked and shared keys"""
import jax
import jax.numpy as jnp

from server import cache as kv
from server import engine, metrics, model, placement, sampling
from server.config import ModelConfig


def raises(error, call, *given):
    try:
        call(*given)
    except error:
        return True
    return False


def demonstrate():
    config, key = ModelConfig(), jax.random.key(0)
    params = placement.place(model.init(key, config), placement.mesh())
    assert engine.generate(params, config, [1, 2], key, 3).shape == (3,)
    assert placement.describe(params)["embed"] == "(16, 8)"
    cache = kv.Cache.empty(config, 4)
    assert raises(IndexError, engine.norms, params, cache)
    full = cache._replace(keys=jnp.ones_like(cache.keys))
    assert kv.evict(full, 0).keys.all()
    logits, keys = jnp.arange(16.0) / 4, jax.random.split(key, 30)
    before = [int(sampling.pick(logits, k)) for k in keys]
    engine.set_temperature(1e-6)
    assert before == [int(sampling.pick(logits, k)) for k in keys] and len(set(before)) > 1
    assert raises(jax.errors.NonConcreteBooleanIndexError, sampling.pick_nucleus, logits, key, 0.9)
    assert len(set(map(int, sampling.candidates(logits, key, 20)))) == 1
    assert len(set(map(int, sampling.candidates_split(logits, key, 20)))) > 1
    assert raises((RuntimeError, ValueError), engine.speculate, params, config, kv.Cache.empty(config, 4), [1, 2])
    _, total = metrics.score(jnp.ones((3, 16)), [1, 2, 3])
    assert total == 0 and metrics.requests["scored"] == 1
    assert metrics.add({"loss": jnp.zeros(())}, 2.0)["loss"] == 2
