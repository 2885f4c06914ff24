"""after general knowledge; slug: none-in-pytree; corrected twin"""
import jax
import jax.numpy as jnp


def make_layer(key, n_in, n_out, use_bias=True):
    return {
        "kernel": jax.random.normal(key, (n_in, n_out)) / n_in ** 0.5,
        "bias": jnp.zeros(n_out) if use_bias else None,
    }


def ema(old, new, decay=0.99):
    return jax.tree.map(lambda a, b: decay * a + (1 - decay) * b, old, new)


def warm_start(key):
    first, second = jax.random.split(key)
    teacher = make_layer(first, 3, 2, use_bias=True)
    student = jax.tree.map(jnp.zeros_like, teacher)
    return ema(teacher, student)


def demonstrate():
    warm_start(jax.random.key(0))
