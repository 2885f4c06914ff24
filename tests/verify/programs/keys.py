"""Each part of JAX's cache key changes once; what is expected of each function stands above it."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from counted import ran


# reasons: first shape rank rank weak-type dtype
@jax.jit
def types(x):
    ran("types")
    return x * 2


types(jnp.ones(3))
types(jnp.ones(4))
types(jnp.ones((2, 2)))
types(jnp.ones(3))
types(jnp.float32(1))
types(1.0)  # confirmed: weak-type-recompile
types(jnp.int32(1))  # confirmed: weak-type-recompile


# reasons: first static-value kwargs
@partial(jax.jit, static_argnames="n")
def statics(x, n=1):
    ran("statics")
    return x * n


statics(jnp.ones(2), n=2)
statics(jnp.ones(2), n=3)
statics(jnp.ones(2), 3)
statics(jnp.ones(2), n=2)


class Config:
    def __init__(self, rate):
        self.rate = rate


# reasons: first static-identity static-identity
@partial(jax.jit, static_argnums=1)
def by_identity(x, config):
    ran("by_identity")
    return x * config.rate


by_identity(jnp.ones(2), Config(1))
by_identity(jnp.ones(2), Config(1))
by_identity(jnp.ones(2), Config(2))


@dataclass(frozen=True)
class Frozen:
    rate: int


# reasons: first static-value
@partial(jax.jit, static_argnums=1)
def by_value(x, config):
    ran("by_value")
    return x * config.rate


by_value(jnp.ones(2), Frozen(1))
by_value(jnp.ones(2), Frozen(1))
by_value(jnp.ones(2), Frozen(2))


# reasons: first pytree pytree shape
@jax.jit
def trees(batch):
    ran("trees")
    return jax.tree_util.tree_leaves(batch)[0]


trees({"a": jnp.ones(2)})
trees({"a": jnp.ones(2), "b": jnp.ones(2)})
trees([jnp.ones(2)])
trees({"a": jnp.ones(3)})
trees({"a": jnp.ones(2)})


# reasons: first arity
@jax.jit
def arities(x, scale=2.0):
    ran("arities")
    return x * scale


arities(jnp.ones(2))
arities(jnp.ones(2), 2.0)
arities(jnp.ones(2), 3.0)


# reasons: first config
@jax.jit
def configured(x):
    ran("configured")
    return x @ x


configured(jnp.ones((2, 2)))
with jax.default_matmul_precision("float32"):
    configured(jnp.ones((2, 2)))
configured(jnp.ones((2, 2)))


# reasons: first cache-cleared
@jax.jit
def cleared(x):
    ran("cleared")
    return x


cleared(jnp.ones(2))
jax.clear_caches()
cleared(jnp.ones(2))


# reasons: first
@partial(jax.jit, static_argnames="mode")
def steady(x, mode="a"):
    ran("steady")
    return x


for _ in range(10):
    steady(jnp.ones(2), mode="a")
