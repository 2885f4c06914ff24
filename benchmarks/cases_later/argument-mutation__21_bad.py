"""after metrics dict filled by a jitted function for the caller; slug: argument-mutation"""
import jax
import jax.numpy as jnp


@jax.jit
def evaluate(w, x, metrics):
    pred = x @ w
    metrics["mean"] = pred.mean()  # expect: argument-mutation
    return pred


def report(w, x):
    metrics = {"mean": 0.0}
    evaluate(w, x, metrics)
    return float(metrics["mean"])


def demonstrate():
    value = report(jnp.ones(2), jnp.ones((3, 2)))
    assert value == 0.0
