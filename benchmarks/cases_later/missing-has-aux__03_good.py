"""after general knowledge; slug: missing-has-aux; corrected twin"""
import jax
import jax.numpy as jnp


def elbo(params, x):
    mean, log_var = x @ params["m"], x @ params["v"]
    kl = -0.5 * jnp.sum(1 + log_var - mean ** 2 - jnp.exp(log_var))
    recon = jnp.sum((mean - x) ** 2)
    metrics = dict(kl=kl, recon=recon)
    return kl + recon, metrics


def make_step(objective, lr):
    gradient = jax.grad(objective, has_aux=True)

    @jax.jit
    def step(params, x):
        grads, _ = gradient(params, x)
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    return step


step = make_step(elbo, 0.1)


def demonstrate():
    step({'m': jnp.eye(2), 'v': jnp.eye(2)}, jnp.ones((3, 2)))
