"""after general knowledge; slug: static-field-array"""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Kalman:
    mean: jax.Array
    transition: jax.Array = struct.field(pytree_node=False)


@jax.jit
def predict(state):
    return state.replace(mean=state.transition @ state.mean)


def track(n=2):
    total = jnp.zeros(2)
    for i in range(n):
        state = Kalman(mean=jnp.zeros(2) + i, transition=jnp.eye(2))  # expect: static-field-array
        total = total + predict(state).mean
    return total


def demonstrate():
    try:
        track()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
