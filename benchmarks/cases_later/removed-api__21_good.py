"""after jax.random.KeyArray in an annotation of a dataclass; slug: removed-api; corrected twin"""
import dataclasses

import jax
from jax import core


@dataclasses.dataclass
class Config:
    width: int = 4
    depth: int = 2


def eqns(f, *args):
    return jax.make_jaxpr(f)(*args).jaxpr.eqns


def demonstrate():
    assert len(eqns(lambda x: x + 1, 1.0)) == 1
