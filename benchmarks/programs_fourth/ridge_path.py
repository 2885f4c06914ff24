import jax
import jax.numpy as jnp


def loss(w, x, y, penalty):
    residual = x @ w - y
    fit = jnp.mean(residual**2)
    return fit + penalty * jnp.sum(w**2), {"fit": fit}


def path(x, y, penalties):
    weights = []
    for penalty in penalties:
        w = jnp.zeros(x.shape[1])
        for _ in range(5):
            (value, aux), g = jax.value_and_grad(loss)(w, x, y, penalty)
            w -= 0.1 * g
        weights.append(w)
    return weights


# --- what it should do
assert len(path(jnp.eye(3), jnp.ones(3), [0.0, 0.1])) == 2
