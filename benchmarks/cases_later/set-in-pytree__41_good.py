"""parameter names kept as a set inside the traced state; slug: none"""
import jax
import jax.numpy as jnp


def init_state():
    params = {"w": jnp.ones((2,)), "frozen": jnp.zeros((2,))}
    return {"params": params, "frozen": ()}


@jax.jit
def update(state, grads):
    params = jax.tree.map(lambda p, g: p - 0.1 * g, state["params"], grads)
    return dict(state, params=params)


def main():
    state = init_state()
    for _ in range(3):
        state = update(state, state["params"])
    return state


def demonstrate():
    main()
