"""after general knowledge; slug: scan-body-contract"""
import jax
import jax.numpy as jnp


def relax(pressure):
    return 0.5 * pressure + 0.25 * (jnp.roll(pressure, 1) + jnp.roll(pressure, -1))


def settle(pressure, iterations=10):
    return jax.lax.fori_loop(0, iterations, relax, pressure)  # expect: scan-body-contract


settle_batch = jax.vmap(settle)


def demonstrate():
    try:
        settle_batch(jnp.ones((2, 4)))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
