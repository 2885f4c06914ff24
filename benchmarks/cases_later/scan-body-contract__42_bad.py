"""a fori_loop body without its counter; slug: scan-body-contract"""
import jax
import jax.numpy as jnp


def power_iteration(matrix, steps):
    def normalise(v):
        w = matrix @ v
        return w / jnp.linalg.norm(w)

    start = jnp.ones(matrix.shape[0])
    return jax.lax.fori_loop(0, steps, normalise, start)  # expect: scan-body-contract


def main():
    return jax.jit(power_iteration)(jnp.diag(jnp.arange(1.0, 4.0)), 20)


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
