"""after general knowledge; slug: unbound-axis-name; corrected twin"""
import jax
import jax.numpy as jnp
from jax.lax import all_gather


def contrastive(embedding):
    everyone = all_gather(embedding, "replica")
    return embedding @ everyone.T


def loss(embeddings):
    return jnp.mean(jax.vmap(contrastive, axis_name="replica")(embeddings))


step = jax.jit(loss)


def demonstrate():
    step(jnp.ones((3, 2)))
