"""after general knowledge; slug: argnums-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def elbo(mean, log_std, data):
    return -0.5 * jnp.sum((data - mean) ** 2) + jnp.sum(log_std)


elbo_grad = jax.grad(elbo, argnums=(0, 1))


def ascend(mean, log_std, data, lr=0.01):
    d_mean, d_std = elbo_grad(mean, log_std, data)
    return mean + lr * d_mean, log_std + lr * d_std


def demonstrate():
    ascend(jnp.zeros(2), jnp.zeros(2), jnp.ones(2))
