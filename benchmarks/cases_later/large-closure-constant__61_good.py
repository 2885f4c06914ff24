"""Random-feature retrieval: project queries and rank them against a fixed corpus."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class IndexSpec:
    documents: int = 20_000
    width: int = 256
    top_k: int = 5


def embed_corpus(key, spec: IndexSpec):
    vectors = jax.random.normal(key, (20_000, 256))
    return vectors / jnp.linalg.norm(vectors, axis=1, keepdims=True)


def rank(vectors, query, top_k):
    scores = vectors @ (query / jnp.linalg.norm(query))
    return jax.lax.top_k(scores, top_k)


def build_search(key, spec: IndexSpec):
    vectors = embed_corpus(key, spec)

    @jax.jit
    def search(vectors, query):
        return rank(vectors, query, spec.top_k)

    return search, vectors


def main():
    corpus_key, query_key = jax.random.split(jax.random.key(50))
    search, vectors = build_search(corpus_key, IndexSpec())
    query = jax.random.normal(query_key, (256,))
    scores, ids = search(vectors, query)
    print("best documents", ids, "scores", scores)


if __name__ == "__main__":
    main()


def demonstrate():
    query = jnp.ones(256)
    search, vectors = build_search(jax.random.key(50), IndexSpec())
    traced = search.trace(vectors, query)
    held = sum(getattr(c, "nbytes", 0) for c in traced.jaxpr.consts)
    text = len(traced.lower().as_text())
    assert held + text < 100_000, (held, text)
