"""after general knowledge; slug: weak-type-recompile"""
import jax
import jax.numpy as jnp


@jax.jit
def momentum_step(x, velocity, gradient):
    velocity = 0.9 * velocity - 0.1 * gradient
    return x + velocity, velocity


def descend(f, x, steps):
    velocity = 0.0  # expect: weak-type-recompile
    for _ in range(steps):
        x, velocity = momentum_step(x, velocity, jax.grad(f)(x))
    return x


def demonstrate():
    descend(lambda x: jnp.sum(x ** 2), jnp.ones(3), 4)
    assert momentum_step._cache_size() == 2
