"""clean: shard_map with the collectives in place, nested helper"""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("data", "model"))


def reduce_mean(tree, axis):
    return jax.tree.map(lambda g: lax.pmean(g, axis), tree)


def local_step(params, x):
    def loss(p):
        h = x @ p["w"]
        return lax.psum(jnp.sum(h ** 2), "model") / x.shape[0]

    value, grads = jax.value_and_grad(loss)(params)
    grads = reduce_mean(grads, "data")
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), lax.pmean(value, "data")


step = jax.jit(jax.shard_map(local_step, mesh=mesh, in_specs=({"w": P(None, "model")}, P("data")),
                             out_specs=({"w": P(None, "model")}, P()), check_vma=False))


def demonstrate():
    w = jax.device_put(jnp.ones((4, 4)), NamedSharding(mesh, P(None, "model")))
    params, value = step({"w": w}, jnp.ones((8, 4)))
    assert jnp.isfinite(value)
