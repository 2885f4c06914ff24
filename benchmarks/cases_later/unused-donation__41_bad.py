"""a batch donated to a step that returns only a scalar; slug: unused-donation"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=(1,))  # expect: unused-donation
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
    assert any("donated" in str(w.message) for w in seen)
