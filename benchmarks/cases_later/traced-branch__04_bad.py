"""after general knowledge; slug: traced-branch"""
import jax
import jax.numpy as jnp


def soft_threshold(x, lam):
    return jnp.sign(x) * jnp.maximum(jnp.abs(x) - lam, 0.0)


def ista(a, b, lam, step, n_iter):
    def gradient(x):
        return a.T @ (a @ x - b)

    x = jnp.zeros(a.shape[1])
    previous = x
    for _ in range(n_iter):
        previous, x = x, soft_threshold(x - step * gradient(x), step * lam)
        change = jnp.linalg.norm(x - previous)
        if change < 1e-6:  # expect: traced-branch
            break
    return x


solve = jax.jit(ista, static_argnums=4)


def demonstrate():
    try:
        solve(jnp.eye(3), jnp.ones(3), 0.1, 0.5, 20)
    except Exception as err:
        assert type(err).__name__ == 'TracerBoolConversionError', repr(err)
    else:
        raise AssertionError('expected TracerBoolConversionError')
