"""Models as objects: compiled methods with a static `self`, compiled bound methods, and objects that are pytrees."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from counted import ran


class ByIdentity:
    def __init__(self, width):
        self.width = width

    # reasons: first static-identity static-identity static-identity
    @partial(jax.jit, static_argnums=0)  # confirmed: jit-method-self `partial(jax.jit, static_argnums=0)`
    def forward(self, x):
        ran("ByIdentity.forward")
        return x * self.width


@dataclass(frozen=True)
class ByValue:
    width: int

    # reasons: first static-value
    @partial(jax.jit, static_argnums=(0,))  # look-alike: jit-method-self `partial(jax.jit, static_argnums=(0,))`
    def scaled(self, x):
        ran("ByValue.scaled")
        return x * self.width


class OwnStep:
    """Each object compiles its own method where it is made."""

    def __init__(self, rate):
        self.rate = rate
        self.step = jax.jit(self._step)  # confirmed: jit-in-function

    # reasons: first new-function-object new-function-object
    def _step(self, w):
        ran("OwnStep._step")
        return w - self.rate * w


@jax.tree_util.register_pytree_node_class
class Tree:
    """Its weights are leaves and its width is part of the structure."""

    def __init__(self, w, width):
        self.w, self.width = w, width

    def tree_flatten(self):
        return (self.w,), self.width

    @classmethod
    def tree_unflatten(cls, width, leaves):
        return cls(leaves[0], width)

    # reasons: first pytree
    @jax.jit  # look-alike: jit-method-self `jax.jit`
    def apply(self, x):
        ran("Tree.apply")
        return self.w * x * self.width


class Hashed:
    """Tells JAX what makes two of them the same."""

    def __init__(self, width, name):
        self.width, self.name = width, name

    def __hash__(self):
        return hash(self.width)

    def __eq__(self, other):
        return isinstance(other, Hashed) and self.width == other.width

    # reasons: first static-value
    @partial(jax.jit, static_argnums=0)  # look-alike: jit-method-self `partial(jax.jit, static_argnums=0)`
    def wide(self, x):
        ran("Hashed.wide")
        return x * self.width


class Shared:
    @staticmethod
    # reasons: first
    @jax.jit
    def pure(x):
        ran("Shared.pure")
        return x + 1

    @classmethod
    def make(cls, x):
        return cls.pure(x)


def main():
    x = jnp.ones(3)
    for width in (2, 2, 3):
        ByIdentity(width).forward(x)
        ByValue(width).scaled(x)
        model = OwnStep(0.1 * width)
        for _ in range(4):
            x = model.step(x)
        Tree(jnp.ones(3), width).apply(x)
        Hashed(width, f"model {width}").wide(x)
        Shared().pure(x)
        Shared.make(x)
    Hashed(2, "another name").wide(x)
    kept = ByIdentity(2)
    kept.forward(jnp.ones(3))
    kept.width = 5  # JAX does not see it: the program is stale, and is not made anew
    kept.forward(jnp.ones(3))


main()
