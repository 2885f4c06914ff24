"""parameter names kept as a set inside the traced state; slug: set-in-pytree"""
import jax
import jax.numpy as jnp


def init_state():
    params = {"w": jnp.ones((2,)), "frozen": jnp.zeros((2,))}
    return {"params": params, "frozen": {"frozen"}}


@jax.jit
def update(state, grads):
    params = jax.tree.map(lambda p, g: p - 0.1 * g, state["params"], grads)
    return dict(state, params=params)


def main():
    state = init_state()
    for _ in range(3):
        state = update(state, state["params"])  # expect: set-in-pytree
    return state


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
