"""after general knowledge; slug: non-array-result"""
import jax
import jax.numpy as jnp


def choose_solver(stiffness):
    return jnp.max(stiffness), "implicit"


def plan(problem):
    ratio, name = choose_solver(problem["k"])
    return ratio, name  # expect: non-array-result


planned = jax.vmap(plan)


def demonstrate():
    try:
        planned({'k': jnp.ones((2, 3))})
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
