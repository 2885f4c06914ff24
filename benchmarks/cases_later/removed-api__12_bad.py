"""after host_callback in a progress report; slug: removed-api"""
import jax
import jax.numpy as jnp


def progress(i, x):
    from jax.experimental import host_callback  # expect: removed-api

    host_callback.id_tap(lambda v, _: print(v), (i, x))


def integrate(x, n):
    def body(i, x):
        progress(i, x)
        return x * 0.9

    return jax.lax.fori_loop(0, n, body, x)


def demonstrate():
    try:
        integrate(jnp.ones(()), 3)
    except Exception as err:
        assert type(err).__name__ == 'ImportError', repr(err)
    else:
        raise AssertionError('expected ImportError')
