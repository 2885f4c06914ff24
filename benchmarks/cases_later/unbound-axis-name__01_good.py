"""after general knowledge; slug: unbound-axis-name; corrected twin"""
import jax
import jax.numpy as jnp
from jax import lax


def sync_batch_stats(x):
    mean = lax.pmean(x.mean(0), "batch")
    var = lax.pmean((x ** 2).mean(0), "batch") - mean ** 2
    return (x - mean) / jnp.sqrt(var + 1e-5)


@jax.jit
def encode(weights, x):
    return jax.vmap(lambda shard: sync_batch_stats(shard @ weights), axis_name="batch")(x[None])[0]


def run(x):
    return encode(jnp.eye(x.shape[1]), x)


def demonstrate():
    run(jnp.ones((4, 2)))
