"""after a two-axis spec for biases; slug: spec-rank-mismatch; corrected twin"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 2), ("data", "model"))


def init(dim):
    return {"kernel": jnp.ones((dim, dim)), "bias": jnp.zeros((dim,))}


def shard_params(params):
    return {
        "kernel": jax.device_put(params["kernel"], NamedSharding(mesh, P(None, "model"))),
        "bias": jax.device_put(params["bias"], NamedSharding(mesh, P("model"))),
    }


def build():
    return shard_params(init(8))


def demonstrate():
    build()
