"""after general knowledge; slug: grad-non-scalar"""
import jax
import jax.numpy as jnp


def residuals(theta, x, y):
    return theta[0] * jnp.exp(-theta[1] * x) - y


def sensitivities(theta, x, y):
    return jax.jit(jax.grad(residuals))(theta, x, y)  # expect: grad-non-scalar


def gauss_newton(theta, x, y):
    jac = sensitivities(theta, x, y)
    return theta - jnp.linalg.lstsq(jac, residuals(theta, x, y))[0]


def demonstrate():
    try:
        gauss_newton(jnp.ones(2), jnp.linspace(0, 1, 5), jnp.ones(5))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
        assert 'scalar' in str(err), str(err)
    else:
        raise AssertionError('expected TypeError')
