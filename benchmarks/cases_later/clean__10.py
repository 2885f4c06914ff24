"""after general knowledge; clean: derivatives with the right contracts: has_aux, jacobians of vectors, custom_vjp, safe where"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def root(f, guess, theta):
    return jax.lax.while_loop(lambda z: jnp.abs(f(z, theta)) > 1e-4, lambda z: z - f(z, theta) / jax.grad(f)(z, theta), guess)


def root_fwd(f, guess, theta):
    z = root(f, guess, theta)
    return z, (z, theta)


def root_bwd(f, saved, ct):
    z, theta = saved
    dz, dt = jax.grad(f, argnums=(0, 1))(z, theta)
    return jnp.zeros_like(z), -ct * dt / dz


root.defvjp(root_fwd, root_bwd)


def loss(theta, xs):
    z = root(lambda z, t: z ** 2 - t, 1.0, theta)
    safe = jnp.where(xs > 0, xs, 1.0)
    terms = jnp.where(xs > 0, jnp.log(safe), 0.0)
    return z + theta * terms.sum(), {"z": z}


def derive(theta, xs):
    (value, aux), g = jax.value_and_grad(loss, has_aux=True)(theta, xs)
    jac = jax.jacrev(lambda t: t * xs)(theta)
    return value, aux, g, jac


def demonstrate():
    derive(2.0, jnp.arange(3.0))
