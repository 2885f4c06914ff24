"""after general knowledge; slug: non-array-result; corrected twin"""
import jax
import jax.numpy as jnp


def summarise(x):
    return {"mean": x.mean(), "std": x.std()}


@jax.jit
def layer_report(activations):
    return {name: summarise(a) for name, a in activations.items()}


def demonstrate():
    layer_report({'a': jnp.ones(3)})
