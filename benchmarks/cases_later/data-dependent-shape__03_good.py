"""after general knowledge; slug: data-dependent-shape; corrected twin"""
import jax
import jax.numpy as jnp
import optax


def hard_negative_loss(params, x, y):
    losses = optax.sigmoid_binary_cross_entropy(x @ params, y)
    return jnp.mean(losses, where=losses > losses.mean())


step = jax.jit(jax.value_and_grad(hard_negative_loss))


def demonstrate():
    step(jnp.ones(3), jnp.ones((4, 3)), jnp.ones(4))
