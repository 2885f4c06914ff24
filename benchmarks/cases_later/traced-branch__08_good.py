"""after general knowledge; slug: traced-branch; corrected twin"""
import jax
import jax.numpy as jnp


def argmax_label(scores, names, fallback):
    best = jnp.argmax(scores)
    confident = scores[best] > 0.5
    return jnp.where(confident, best, fallback)


classify = jax.jit(argmax_label, static_argnames=("names", "fallback"))


def label(scores):
    return classify(scores, names=("cat", "dog"), fallback=-1)


def demonstrate():
    label(jnp.array([0.1, 0.9]))
