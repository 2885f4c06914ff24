"""after axis_index outside of any map; slug: unbound-axis-name; corrected twin"""
import jax
import jax.numpy as jnp


def shard_key(key):
    return jax.random.fold_in(key, jax.lax.axis_index("i"))


@jax.jit
def init(key):
    return jax.vmap(lambda _: jax.random.normal(shard_key(key), (4,)), axis_name="i")(jnp.arange(2))


def demonstrate():
    init(jax.random.key(0))
