"""after general knowledge; clean: pytree classes registered in three ways go through jit, grad and vmap"""
from dataclasses import dataclass, field

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import struct


@jax.tree_util.register_pytree_node_class
class Affine:
    def __init__(self, scale, shift):
        self.scale, self.shift = scale, shift

    def tree_flatten(self):
        return (self.scale, self.shift), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


@struct.dataclass
class Params:
    affine: Affine
    name: str = struct.field(pytree_node=False, default="p")


class Model(eqx.Module):
    params: Params
    power: int = eqx.field(static=True, default=2)

    def __call__(self, x):
        y = self.params.affine.scale * x + self.params.affine.shift
        return y ** self.power


def loss(model, xs):
    return jnp.mean(jax.vmap(model)(xs))


step = jax.jit(jax.value_and_grad(loss))


def demonstrate():
    step(Model(Params(Affine(jnp.array(2.0), jnp.array(1.0)))), jnp.ones(3))
