"""a recommender that bakes its item table into the program; slug: none"""
import jax
import jax.numpy as jnp

items = jax.random.normal(jax.random.key(0), (4096, 128))


def scores(table, user):
    return table @ user


@jax.jit
def recommend(table, user):
    return jax.lax.top_k(scores(table, user), 5)


def demonstrate():
    assert len(recommend.lower(items, jnp.ones(128)).as_text()) < 1_000_000
