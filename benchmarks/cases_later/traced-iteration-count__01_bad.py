"""after general knowledge; slug: traced-iteration-count"""
import jax
import jax.numpy as jnp


def poisson_update(field, source):
    total = jnp.roll(field, 1, 0) + jnp.roll(field, -1, 0) + jnp.roll(field, 1, 1) + jnp.roll(field, -1, 1)
    return 0.25 * (total + source)


@jax.jit
def relax(field, source, sweeps):
    for _ in range(sweeps):  # expect: traced-iteration-count
        field = poisson_update(field, source)
    return field


def solve(size=8):
    source = jnp.zeros((size, size)).at[size // 2, size // 2].set(1.0)
    return relax(jnp.zeros((size, size)), source, sweeps=25)


def demonstrate():
    try:
        solve()
    except Exception as err:
        assert type(err).__name__ == 'TracerIntegerConversionError', repr(err)
    else:
        raise AssertionError('expected TracerIntegerConversionError')
