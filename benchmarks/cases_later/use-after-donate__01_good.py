"""after general knowledge; slug: use-after-donate; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def update(state, grads):
    return jax.tree.map(lambda s, g: s - 0.1 * g, state, grads)


def run_epoch(state, batches):
    for grads in batches:
        new = update(state, grads)
        drift = jax.tree.map(lambda a, b: jnp.abs(a - b).max(), new, state)
        state = new
    return state, drift


def demonstrate():
    run_epoch({'w': jnp.ones(4)}, [{'w': jnp.ones(4)}])
