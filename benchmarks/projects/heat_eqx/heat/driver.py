import equinox as eqx
import jax
import jax.numpy as jnp

from .grid import Grid, probe_points
from .record import Recorder
from .stepper import Stepper
from .terms import Term


class Simulation:
    def __init__(self, grid: Grid, term: Term, stepper: Stepper):
        self.grid, self.term, self.stepper = grid, term, stepper
        self.scale = 1.0
        self.recorder = Recorder(4)
        self._compiled = jax.jit(self._advance)

    def _advance(self, field):
        self.recorder.note(field)
        return field + self.scale * 0.01 * self.term.rate(field, self.grid)  # expect: mutable-global-read

    def rescale(self, factor):
        self.scale = self.scale * factor

    def step(self, field):
        return self._compiled(field)


@eqx.filter_jit
def probe(grid, field, width):
    return jnp.interp(probe_points(grid, width), grid.points(), field)


def run(term: Term, stepper: Stepper, cells=16, steps=3):
    grid = Grid(jnp.float32(1.0), cells)
    return stepper.advance(term, jnp.ones(cells), grid, steps)


def sensitivity(term, stepper, cells=8):
    """How the mean depends on the start: clean."""

    def mean(field):
        return stepper.advance(term, field, Grid(jnp.float32(1.0), cells), 2).mean()

    return jax.grad(mean)(jnp.ones(cells))
