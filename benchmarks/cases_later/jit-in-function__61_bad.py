"""Bag-of-words scorer with an evaluation loop over equal batches."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class BagOfWords(nn.Module):
    vocab: int
    classes: int

    @nn.compact
    def __call__(self, tokens):
        embedded = nn.Embed(self.vocab, 16)(tokens)
        return nn.Dense(self.classes)(embedded.mean(axis=1))


def top_class(logits):
    return logits.argmax(axis=-1)


class Scorer:
    def __init__(self, model, params):
        self.model = model
        self.params = params

    def predict(self, tokens):
        def classify(params, tokens):
            return top_class(self.model.apply(params, tokens))

        return jax.jit(classify)(self.params, tokens)  # expect: jit-in-function


def batches(key, count, size=16, length=10, vocab=50):
    for _ in range(count):
        key, sub = jax.random.split(key)
        tokens = jax.random.randint(sub, (size, length), 0, vocab)
        yield tokens, tokens[:, 0] % 3


def evaluate(scorer, dataset):
    hits = []
    for tokens, labels in dataset:
        hits.append(scorer.predict(tokens) == labels)
    return jnp.concatenate(hits).mean()


def build(seed=0):
    model = BagOfWords(vocab=50, classes=3)
    params = model.init(jax.random.key(seed), jnp.zeros((1, 10), jnp.int32))
    return Scorer(model, params)


def main():
    print("accuracy", evaluate(build(), batches(jax.random.key(3), 20)))


if __name__ == "__main__":
    main()


def demonstrate():
    traces = []
    original = top_class
    globals()["top_class"] = lambda logits: traces.append(1) or original(logits)
    evaluate(build(), batches(jax.random.key(3), 4))
    globals()["top_class"] = original
    assert len(traces) == 4, len(traces)
