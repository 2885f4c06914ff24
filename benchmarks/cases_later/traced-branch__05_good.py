"""after general knowledge; slug: traced-branch; corrected twin"""
import functools

import jax
import jax.numpy as jnp


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)

    return wrapper


def compiled(fn):
    return jax.jit(logged(fn))


def pick_branch(score, accept, reject):
    return jnp.where(score, accept, reject)


@compiled
def metropolis(state, proposal, log_ratio, u):
    return pick_branch(jnp.log(u) < log_ratio, proposal, state)


def demonstrate():
    metropolis(jnp.zeros(2), jnp.ones(2), 0.1, 0.5)
