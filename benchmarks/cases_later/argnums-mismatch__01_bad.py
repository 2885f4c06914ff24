"""after general knowledge; slug: argnums-mismatch"""
import jax
import jax.numpy as jnp


def elbo(mean, log_std, data):
    return -0.5 * jnp.sum((data - mean) ** 2) + jnp.sum(log_std)


elbo_grad = jax.grad(elbo, argnums=(0, 1, 3))  # expect: argnums-mismatch


def ascend(mean, log_std, data, lr=0.01):
    d_mean, d_std, _ = elbo_grad(mean, log_std, data)
    return mean + lr * d_mean, log_std + lr * d_std


def demonstrate():
    try:
        ascend(jnp.zeros(2), jnp.zeros(2), jnp.ones(2))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
