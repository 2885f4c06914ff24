"""after general knowledge; slug: axes-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def score(params, question, answers):
    q = question @ params["q"]
    return answers @ params["a"] @ q


batched_score = jax.vmap(score, in_axes=(None, 0, 0))


def rank(params, questions, answers):
    scores = batched_score(params, questions, answers)
    return jnp.argsort(-scores, axis=-1)


def demonstrate():
    rank({'q': jnp.eye(2), 'a': jnp.eye(2)}, jnp.ones((3, 2)), jnp.ones((3, 4, 2)))
