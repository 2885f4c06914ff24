"""after three specs for two arguments; slug: spec-rank-mismatch"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P


def apply(w, x):
    return jnp.tanh(x @ w)


def parallel(mesh):
    return jax.shard_map(
        apply,
        mesh=mesh,
        in_specs=(P(), P("i"), P("i")),  # expect: spec-rank-mismatch
        out_specs=P("i"),
    )


def run():
    mesh = Mesh(np.array(jax.devices()[:2]), ("i",))
    return parallel(mesh)(jnp.eye(3), jnp.ones((4, 3)))


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
