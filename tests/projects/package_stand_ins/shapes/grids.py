"""A name that the package stands in for; functions of a class, which other modules read."""

import dataclasses

import jax
from jax import jit


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Grid:
    points: jax.Array
    kind: str = jax.tree.static(default="even")


class Element:
    """Holds functions, which code reads through the class, or not at all."""

    def __init__(self, tag):
        self.tag = tag

    @jit
    def stiffness(nodes, properties):
        return nodes * properties

    @jit
    def unused(nodes, properties):
        return nodes + properties

    @jit  # expect: jit-method-self
    def through_object(nodes, properties):
        return nodes - properties

    @jit  # expect: jit-method-self
    def tagged(self, nodes):
        return nodes * self.tag
