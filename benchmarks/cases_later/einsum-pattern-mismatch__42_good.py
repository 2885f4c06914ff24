"""a bilinear form with one operand too many in the pattern; slug: none"""
import jax
import jax.numpy as jnp


def mahalanobis(x, mean, precision):
    diff = x - mean
    return jnp.einsum("ni,ij,nj->n", diff, precision, diff)


def log_density(x, mean, precision):
    dim = x.shape[-1]
    logdet = jnp.linalg.slogdet(precision)[1]
    return 0.5 * (logdet - dim * jnp.log(2 * jnp.pi) - mahalanobis(x, mean, precision))


density = jax.jit(log_density)


def run():
    return density(jnp.ones((6, 3)), jnp.zeros(3), jnp.eye(3))


def demonstrate():
    run()
