"""after a sum over shards that stays partial; slug: missing-collective"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:4]), ("x",))


def total(x):
    return jnp.sum(x)  # expect: missing-collective


def run(values):
    f = jax.shard_map(total, mesh=mesh, in_specs=P("x"), out_specs=P(), check_vma=False)
    return f(values)


def demonstrate():
    out = run(jnp.arange(8.0))
    assert float(out) != 28.0
