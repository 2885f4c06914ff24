"""after general knowledge; slug: unbound-axis-name"""
import jax
import jax.numpy as jnp
from jax.lax import all_gather


def contrastive(embedding):
    everyone = all_gather(embedding, "replica")
    return embedding @ everyone.T


def loss(embeddings):
    return jnp.mean(jax.vmap(contrastive)(embeddings))  # expect: unbound-axis-name


step = jax.jit(loss)


def demonstrate():
    try:
        step(jnp.ones((3, 2)))
    except Exception as err:
        assert type(err).__name__ == 'NameError', repr(err)
    else:
        raise AssertionError('expected NameError')
