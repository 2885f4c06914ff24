import jax.numpy as jnp

from .base import Env

MOVES = ((0, 1), (1, 0), (0, -1), (-1, 0))


class GridWorld(Env):
    """Clean: what is tested is static, the rest is chosen by `where`."""

    def __init__(self, walls=(), wrap=True):
        self.walls = tuple(walls)
        self.wrap = wrap

    def dynamics(self, state, action):
        new = state + jnp.asarray(MOVES)[action]
        for wall in self.walls:
            hit = jnp.all(new == jnp.asarray(wall))
            new = jnp.where(hit, state, new)
        if self.wrap:
            new = new % 5
        return new

    def reset(self, key):
        return jnp.zeros(2)


class LoggedGridWorld(GridWorld):
    def __init__(self, walls=()):
        super().__init__(walls)
        self.visited = []

    def dynamics(self, state, action):
        new = super().dynamics(state, action)
        self.visited.append(new)  # expect: self-mutation
        return new
