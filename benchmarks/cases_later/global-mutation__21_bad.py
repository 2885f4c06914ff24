"""after a nonlocal best loss inside a compiled step; slug: global-mutation"""
import jax
import jax.numpy as jnp


def fit(w, xs):
    best = jnp.inf

    @jax.jit
    def step(w, x):
        nonlocal best
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((x * w) ** 2))(w)
        best = jnp.minimum(best, loss)  # expect: global-mutation
        return w - 0.1 * grad

    for x in xs:
        w = step(w, x)
    return w, float(best)


def demonstrate():
    try:
        fit(jnp.ones(2), [jnp.ones(2)] * 2)
    except Exception as err:
        assert type(err).__name__ == 'ConcretizationTypeError', repr(err)
    else:
        raise AssertionError('expected ConcretizationTypeError')
