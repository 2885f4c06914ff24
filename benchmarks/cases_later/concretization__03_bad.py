"""after general knowledge; slug: concretization"""
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class TrainState:
    step: jax.Array
    params: dict


def warmup(step, base=1e-2, total=100):
    progress = int(step) / total  # expect: concretization
    return base * min(1.0, progress)


@jax.jit
def apply(state, grads):
    lr = warmup(state.step)
    params = jax.tree.map(lambda p, g: p - lr * g, state.params, grads)
    return TrainState(state.step + 1, params)


def run():
    state = TrainState(jnp.array(0), {"w": jnp.ones(2)})
    return apply(state, {"w": jnp.ones(2)})


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
