"""a recommender that bakes its item table into the program; slug: large-closure-constant"""
import jax
import jax.numpy as jnp

items = jax.random.normal(jax.random.key(0), (4096, 128))


def scores(user):
    return items @ user  # expect: large-closure-constant


@jax.jit
def recommend(user):
    return jax.lax.top_k(scores(user), 5)


def demonstrate():
    assert len(recommend.lower(jnp.ones(128)).as_text()) > 1_000_000
