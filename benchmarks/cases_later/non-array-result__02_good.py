"""after general knowledge; slug: non-array-result; corrected twin"""
import jax
import jax.numpy as jnp


def choose_solver(stiffness):
    return jnp.max(stiffness), "implicit"


def plan(problem):
    ratio, name = choose_solver(problem["k"])
    return ratio


planned = jax.vmap(plan)


def demonstrate():
    planned({'k': jnp.ones((2, 3))})
