"""The state that one step hands to the next."""
from typing import NamedTuple

import jax


class ParticleState(NamedTuple):
    particles: jax.Array
    log_weights: jax.Array
    log_likelihood: jax.Array


class StepInfo(NamedTuple):
    mean: jax.Array
    ess: jax.Array
    ancestors: jax.Array
