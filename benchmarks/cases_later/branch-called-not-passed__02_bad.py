"""after general knowledge; slug: branch-called-not-passed"""
import jax
import jax.numpy as jnp


def implicit(u, dt):
    return u / (1 + dt)


def explicit(u, dt):
    return u * (1 - dt)


def advance(u, dt, method):
    return jax.lax.switch(method, [implicit(u, dt), explicit(u, dt)])  # expect: branch-called-not-passed


run = jax.jit(advance)


def demonstrate():
    try:
        run(jnp.ones(2), 0.1, 1)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
