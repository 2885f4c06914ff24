"""after general knowledge; slug: static-field-array; corrected twin"""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Kalman:
    mean: jax.Array
    transition: jax.Array


@jax.jit
def predict(state):
    return state.replace(mean=state.transition @ state.mean)


def track(n=2):
    total = jnp.zeros(2)
    for i in range(n):
        state = Kalman(mean=jnp.zeros(2) + i, transition=jnp.eye(2))
        total = total + predict(state).mean
    return total


def demonstrate():
    track()
