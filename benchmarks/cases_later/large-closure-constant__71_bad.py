"""Nearest-neighbour retrieval for a question-answering prompt."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class Hits:
    scores: jax.Array
    documents: jax.Array


def normalise(vectors):
    return vectors / jnp.linalg.norm(vectors, axis=-1, keepdims=True)


def build_index(key, documents=8192, dim=128):
    return normalise(jax.random.normal(key, (documents, dim)))


def make_search(key, top_k):
    """Return a compiled search over an index, and the index."""
    vectors = build_index(key)

    @jax.jit
    def search(queries):
        scores = normalise(queries) @ vectors.T  # expect: large-closure-constant
        return jax.lax.top_k(scores, top_k)

    return search, vectors


class Retriever:
    def __init__(self, key, top_k=3):
        self.search, self.vectors = make_search(key, top_k)

    def __call__(self, queries):
        scores, documents = self.search(queries)
        return Hits(scores, documents)

    def program_size(self, queries):
        return len(self.search.lower(queries).as_text())


def main():
    index_key, noise_key = jax.random.split(jax.random.key(8))
    retriever = Retriever(index_key)
    wanted = jnp.array([5, 77, 4000])
    noise = 0.02 * jax.random.normal(noise_key, (3, 128))
    queries = retriever.vectors[wanted] + noise
    hits = retriever(queries)
    size = retriever.program_size(queries)
    print("documents:", hits.documents[:, 0], "program text:", size, "characters")
    assert jnp.array_equal(hits.documents[:, 0], wanted)
    assert size > 2**22


if __name__ == "__main__":
    main()
