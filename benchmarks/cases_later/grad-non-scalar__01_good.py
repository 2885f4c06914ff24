"""after general knowledge; slug: grad-non-scalar; corrected twin"""
import jax
import jax.numpy as jnp


def residuals(theta, x, y):
    return theta[0] * jnp.exp(-theta[1] * x) - y


def sensitivities(theta, x, y):
    return jax.jit(jax.jacfwd(residuals))(theta, x, y)


def gauss_newton(theta, x, y):
    jac = sensitivities(theta, x, y)
    return theta - jnp.linalg.lstsq(jac, residuals(theta, x, y))[0]


def demonstrate():
    gauss_newton(jnp.ones(2), jnp.linspace(0, 1, 5), jnp.ones(5))
