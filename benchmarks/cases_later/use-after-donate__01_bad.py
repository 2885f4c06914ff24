"""after general knowledge; slug: use-after-donate"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnames=("state",))
def update(state, grads):
    return jax.tree.map(lambda s, g: s - 0.1 * g, state, grads)


def run_epoch(state, batches):
    for grads in batches:
        new = update(state, grads)
        drift = jax.tree.map(lambda a, b: jnp.abs(a - b).max(), new, state)  # expect: use-after-donate
        state = new
    return state, drift


def demonstrate():
    try:
        run_epoch({'w': jnp.ones(4)}, [{'w': jnp.ones(4)}])
    except Exception as err:
        assert type(err).__name__ == 'RuntimeError', repr(err)
    else:
        raise AssertionError('expected RuntimeError')
