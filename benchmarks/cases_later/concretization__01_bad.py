"""after general knowledge; slug: concretization"""
import jax
import jax.numpy as jnp


def huber(residual, delta):
    small = jnp.abs(residual) <= delta
    return jnp.where(small, 0.5 * residual ** 2, delta * (jnp.abs(residual) - 0.5 * delta))


def report(stats, name, value):
    stats[name] = float(value)  # expect: concretization
    return stats


def loss(params, inputs, targets):
    residual = inputs @ params["w"] + params["b"] - targets
    stats = report({}, "residual_mean", jnp.mean(residual))
    return jnp.mean(huber(residual, 1.0)), stats


value_and_grad = jax.value_and_grad(loss, has_aux=True)


def fit(params, inputs, targets, steps=3):
    for _ in range(steps):
        (value, stats), grads = value_and_grad(params, inputs, targets)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return params, stats


def demonstrate():
    try:
        fit({'w': jnp.ones(2), 'b': 0.0}, jnp.ones((4, 2)), jnp.ones(4))
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
