"""a train state with the class weights outside the tree; slug: none"""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Problem:
    params: jax.Array
    class_weights: jax.Array


@jax.jit
def loss(problem, x):
    return jnp.sum(problem.class_weights * (x @ problem.params))


def main():
    weights = jnp.array([1.0, 2.0])
    problem = Problem(params=jnp.ones((3, 2)), class_weights=weights)
    first = loss(problem, jnp.ones(3))
    other = problem.replace(params=first * problem.params, class_weights=2 * weights)
    return first + loss(other, jnp.ones(3))


def demonstrate():
    main()
