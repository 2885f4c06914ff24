"""after metrics dict filled by a jitted function for the caller; slug: argument-mutation; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def evaluate(w, x):
    pred = x @ w
    return pred, {"mean": pred.mean()}


def report(w, x):
    _, metrics = evaluate(w, x)
    return float(metrics["mean"])


def demonstrate():
    value = report(jnp.ones(2), jnp.ones((3, 2)))
    assert value == 2.0
