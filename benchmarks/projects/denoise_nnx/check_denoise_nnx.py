"""schedules and blocks that fail once they are traced; times and noise from one key; a mask under jit; a counter"""
import jax
import jax.numpy as jnp
from flax import nnx

from denoise import loss, sample, train
from denoise.layers import Block, GatedBlock, ProbedBlock
from denoise.model import Denoiser
from denoise.schedule import Cosine, Linear, Tabulated


def raises(error, call, *given):
    try:
        call(*given)
    except error:
        return True
    return False


def demonstrate():
    errors, key, x = jax.errors, jax.random.key(0), jnp.ones((4, 3))

    def made(block=Block):
        return Denoiser(3, 8, nnx.Rngs(0), block)

    assert train.fit(made(), Linear(), x, key).shape == (2,) and train.HISTORY["losses"] == 1
    assert raises(errors.TracerArrayConversionError, train.step, made(), Cosine(), x, key)
    assert raises((errors.TracerIntegerConversionError, TypeError), train.step, made(), Tabulated(3), x, key)
    assert raises(errors.TracerBoolConversionError, train.step, made(GatedBlock), Linear(), x, key)
    train.step(made(ProbedBlock), Linear(), x, key)
    assert raises(errors.UnexpectedTracerError, lambda: ProbedBlock.trail[0] + 1)
    assert raises(errors.NonConcreteBooleanIndexError, train.worst, jnp.arange(3.0))
    first, second = sample.grid(made(), Linear(), (2, 3), key, 2)
    assert (first == second).all()
    first, second = sample.grid_of(made(), Linear(), (2, 3), key, 2)
    assert (first != second).any()
    assert jnp.isfinite(loss.objective(made(), Linear(), x, key))
