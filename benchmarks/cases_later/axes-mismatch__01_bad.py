"""after general knowledge; slug: axes-mismatch"""
import jax
import jax.numpy as jnp


def score(params, question, answers):
    q = question @ params["q"]
    return answers @ params["a"] @ q


batched_score = jax.vmap(score, in_axes=(None, 0))


def rank(params, questions, answers):
    scores = batched_score(params, questions, answers)  # expect: axes-mismatch
    return jnp.argsort(-scores, axis=-1)


def demonstrate():
    try:
        rank({'q': jnp.eye(2), 'a': jnp.eye(2)}, jnp.ones((3, 2)), jnp.ones((3, 4, 2)))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
