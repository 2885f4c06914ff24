"""after a nonlocal best loss inside a compiled step; slug: global-mutation; corrected twin"""
import jax
import jax.numpy as jnp


def fit(w, xs):
    best = jnp.inf

    @jax.jit
    def step(w, x):
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((x * w) ** 2))(w)
        return w - 0.1 * grad, loss

    for x in xs:
        w, loss = step(w, x)
        best = jnp.minimum(best, loss)
    return w, float(best)


def demonstrate():
    fit(jnp.ones(2), [jnp.ones(2)] * 2)
