"""a fori_loop body without its counter; slug: none"""
import jax
import jax.numpy as jnp


def power_iteration(matrix, steps):
    def normalise(_, v):
        w = matrix @ v
        return w / jnp.linalg.norm(w)

    start = jnp.ones(matrix.shape[0])
    return jax.lax.fori_loop(0, steps, normalise, start)


def main():
    return jax.jit(power_iteration)(jnp.diag(jnp.arange(1.0, 4.0)), 20)


def demonstrate():
    main()
