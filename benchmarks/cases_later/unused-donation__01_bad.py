"""after general knowledge; slug: unused-donation"""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=(1,))
def evaluate(params, batch):
    logits = batch @ params
    return jnp.mean(jnp.max(logits, axis=-1))


def validate(params, n=3):
    total = 0.0
    for i in range(n):
        batch = jnp.full((16, 8), float(i))
        total += evaluate(params, batch)  # expect: unused-donation
    return total / n


def demonstrate():
    import warnings
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        validate(jnp.ones((8, 4)))
    assert any("donated buffers were not usable" in str(w.message) for w in seen)
