"""Right-hand sides: what makes the field change."""
import abc

import equinox as eqx
import jax
import jax.numpy as jnp

from .grid import Grid, stencil


class Term(eqx.Module):
    @abc.abstractmethod
    def rate(self, field, grid):
        raise NotImplementedError

    def __add__(self, other):
        return Both(self, other)


class Both(Term):
    left: Term
    right: Term

    def rate(self, field, grid):
        return self.left.rate(field, grid) + self.right.rate(field, grid)


class Diffusion(Term):
    strength: float = 1.0
    order: int = eqx.field(static=True, default=1)

    def rate(self, field, grid):
        if self.order > 1:
            field = jnp.pad(field, self.order)[self.order : -self.order]
        return self.strength * jnp.convolve(field, stencil(self.order), "same") / grid.spacing**2


class Reaction(Term):
    threshold: jax.Array

    def rate(self, field, grid):
        if field.max() > self.threshold:  # expect: traced-branch
            return -field
        return jnp.zeros_like(field)


class Source(Term):
    place: int
    power: float = 1.0

    def rate(self, field, grid: Grid):
        added = jnp.zeros_like(field)
        added.at[self.place].add(self.power)  # expect: discarded-at-update
        return added
