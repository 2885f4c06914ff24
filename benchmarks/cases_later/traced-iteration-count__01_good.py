"""after general knowledge; slug: traced-iteration-count; corrected twin"""
import jax
import jax.numpy as jnp


def poisson_update(field, source):
    total = jnp.roll(field, 1, 0) + jnp.roll(field, -1, 0) + jnp.roll(field, 1, 1) + jnp.roll(field, -1, 1)
    return 0.25 * (total + source)


@jax.jit
def relax(field, source, sweeps):
    return jax.lax.fori_loop(0, sweeps, lambda _, f: poisson_update(f, source), field)


def solve(size=8):
    source = jnp.zeros((size, size)).at[size // 2, size // 2].set(1.0)
    return relax(jnp.zeros((size, size)), source, sweeps=25)


def demonstrate():
    assert solve().shape == (8, 8)
