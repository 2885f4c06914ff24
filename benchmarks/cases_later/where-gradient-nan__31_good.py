"""after a safe ratio that is only safe forwards; slug: where-gradient-nan"""

import jax
import jax.numpy as jnp


def safe_ratio(a, b):
    denominator = jnp.where(b > 0, b, 1.0)
    return jnp.where(b > 0, a / denominator, 0.0)


def coverage_loss(params, hits, counts):
    rates = safe_ratio(hits * params["gain"], counts * params["gain"] ** 2)
    return jnp.mean((rates - 0.5) ** 2)


@jax.jit
def step(params, hits, counts):
    value, grads = jax.value_and_grad(coverage_loss)(params, hits, counts)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def main():
    params = {"gain": jnp.float32(2.0)}
    return step(params, jnp.array([1.0, 0.0, 2.0]), jnp.array([2.0, 0.0, 4.0]))


def demonstrate():
    assert not bool(jnp.isnan(main()["gain"]))
