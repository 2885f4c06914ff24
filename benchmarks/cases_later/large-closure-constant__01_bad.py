"""after general knowledge; slug: large-closure-constant"""
import jax
import jax.numpy as jnp


def load_embeddings(vocab=4096, dim=256):
    return jax.random.normal(jax.random.key(0), (vocab, dim))


def make_scorer():
    table = load_embeddings()

    @jax.jit
    def score(query):
        return jax.nn.softmax(table @ query)  # expect: large-closure-constant

    return score


def demonstrate():
    assert len(make_scorer().lower(jnp.ones(256)).as_text()) > 1_000_000
