"""terms and steppers that fail once traced; a source that adds nothing; limits and a scale that are baked in"""
import jax
import jax.numpy as jnp

from heat import Simulation, run
from heat.driver import probe
from heat.grid import Grid
from heat.record import LIMITS, Recorder, widen
from heat.stepper import Clamped, Euler, Midpoint
from heat.terms import Diffusion, Reaction, Source


def raises(error, call, *given):
    try:
        call(*given)
    except error:
        return True
    return False


def demonstrate():
    errors = jax.errors
    assert run(Diffusion(), Euler()).shape == (16,)
    assert run(Diffusion() + Diffusion(0.5, order=2), Midpoint(damped=True)).shape == (16,)
    assert raises(errors.TracerBoolConversionError, run, Diffusion() + Reaction(jnp.float32(0.5)), Euler())
    assert raises(errors.TracerBoolConversionError, run, Diffusion(), Clamped())
    grid = Grid(jnp.float32(1.0), 8)
    assert not Source(2).rate(jnp.zeros(8), grid).any()
    assert raises((errors.ConcretizationTypeError, TypeError), probe, grid, jnp.ones(8), 2.0)
    first, second = widen(jnp.full(3, 9.0), (5.0, 8.0))
    assert (first == second).all() and LIMITS["high"] == 8.0
    simulation = Simulation(grid, Diffusion(), Euler())
    before = simulation.step(jnp.arange(8.0) ** 2)
    simulation.rescale(10.0)
    assert (before == simulation.step(jnp.arange(8.0) ** 2)).all()
    assert simulation.recorder.counts[0] == 1
    assert Recorder(2).summarise([jnp.ones(2)]).sum() == 2
