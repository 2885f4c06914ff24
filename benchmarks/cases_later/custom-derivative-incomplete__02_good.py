"""after general knowledge; slug: custom-derivative-incomplete; corrected twin"""
import jax
import jax.numpy as jnp


@jax.custom_jvp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-12))


@safe_log.defjvp
def safe_log_jvp(primals, tangents):
    return safe_log(primals[0]), tangents[0] / jnp.maximum(primals[0], 1e-12)


def entropy(p):
    return -jnp.sum(p * safe_log(p))


def entropy_gradient(p):
    return jax.grad(entropy)(p)


def demonstrate():
    entropy_gradient(jnp.ones(2) / 2)
