"""after general knowledge; slug: boolean-mask-index"""
import jax
import jax.numpy as jnp


def nms_scores(scores, threshold):
    keep = jnp.greater_equal(scores, threshold)
    order = jnp.argsort(-scores)
    return order[keep[order]]  # expect: boolean-mask-index


detect = jax.jit(nms_scores)


def demonstrate():
    try:
        detect(jnp.array([0.1, 0.9]), 0.5)
    except Exception as err:
        assert type(err).__name__ == 'NonConcreteBooleanIndexError', repr(err)
    else:
        raise AssertionError('expected NonConcreteBooleanIndexError')
