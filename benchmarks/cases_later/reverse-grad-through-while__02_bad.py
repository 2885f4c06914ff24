"""after general knowledge; slug: reverse-grad-through-while"""
import jax
import jax.numpy as jnp


def simulate(rate, n_steps):
    return jax.lax.fori_loop(0, n_steps, lambda i, pop: pop + 0.1 * rate * pop * (1 - pop), 0.1)


def misfit(rate, observed, n_steps):
    return (simulate(rate, n_steps) - observed) ** 2


@jax.jit
def fit_step(rate, observed, n_steps):
    return rate - 0.5 * jax.grad(misfit)(rate, observed, n_steps)  # expect: reverse-grad-through-while


def demonstrate():
    try:
        fit_step(1.0, 0.5, 10)
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
