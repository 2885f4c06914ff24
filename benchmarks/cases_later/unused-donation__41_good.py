"""a batch donated to a step that returns only a scalar; slug: none"""
import functools

import jax
import jax.numpy as jnp


@jax.jit
def evaluate(params, batch):
    logits = batch["x"] @ params
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(batch["x"].shape[0]), batch["y"]])


def run():
    params = jnp.ones((8, 3))
    return evaluate(params, {"x": jnp.ones((16, 8)), "y": jnp.zeros(16, jnp.int32)})


def demonstrate():
    import warnings

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run()
    assert not any("donated" in str(w.message) for w in seen)
