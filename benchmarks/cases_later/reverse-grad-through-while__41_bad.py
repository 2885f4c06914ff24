"""a Newton solver inside a loss; slug: reverse-grad-through-while"""
import jax
import jax.numpy as jnp


def newton_sqrt(a, tol=1e-5):
    def unfinished(x):
        return jnp.abs(x * x - a) > tol

    return jax.lax.while_loop(unfinished, lambda x: 0.5 * (x + a / x), a)  # expect: reverse-grad-through-while


def model(params, x):
    return newton_sqrt(jnp.exp(params["log_scale"]) * x)


def loss(params, xs, ys):
    return jnp.mean((jax.vmap(model, in_axes=(None, 0))(params, xs) - ys) ** 2)


def main():
    return jax.jit(jax.grad(loss))({"log_scale": jnp.zeros(())}, jnp.arange(1.0, 4.0), jnp.ones(3))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
