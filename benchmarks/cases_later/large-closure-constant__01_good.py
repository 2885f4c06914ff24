"""after general knowledge; slug: large-closure-constant; corrected twin"""
import jax
import jax.numpy as jnp


def load_embeddings(vocab=4096, dim=256):
    return jax.random.normal(jax.random.key(0), (vocab, dim))


def make_scorer():
    table = load_embeddings()

    @jax.jit
    def score(table, query):
        return jax.nn.softmax(table @ query)

    return lambda query: score(table, query)


def demonstrate():
    make_scorer()(jnp.ones(256))
