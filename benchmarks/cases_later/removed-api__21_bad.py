"""after jax.random.KeyArray in an annotation of a dataclass; slug: removed-api"""
import dataclasses

import jax
from jax import core, linear_util as lu  # expect: removed-api


@dataclasses.dataclass
class Config:
    width: int = 4
    depth: int = 2


def eqns(f, *args):
    return jax.make_jaxpr(f)(*args).jaxpr.eqns


def demonstrate():
    assert len(eqns(lambda x: x + 1, 1.0)) == 1
