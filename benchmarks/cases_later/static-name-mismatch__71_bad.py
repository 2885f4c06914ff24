"""A bag-of-words classifier behind a small estimator class."""

import jax
import jax.numpy as jnp


def init_params(key, vocab, dim, classes):
    embed_key, out_key = jax.random.split(key)
    return {
        "embed": jax.random.normal(embed_key, (vocab, dim)),
        "out": 0.1 * jax.random.normal(out_key, (dim, classes)),
    }


def pool(embedded, mask, how):
    total = jnp.sum(embedded * mask[..., None], axis=1)
    if how == "sum":
        return total
    return total / jnp.maximum(mask.sum(axis=1, keepdims=True), 1.0)


def forward(params, tokens, pooling):
    mask = (tokens > 0).astype(jnp.float32)
    return pool(params["embed"][tokens], mask, pooling) @ params["out"]


def loss_fn(params, tokens, labels, pooling):
    log_probs = jax.nn.log_softmax(forward(params, tokens, pooling))
    return -jnp.mean(jnp.take_along_axis(log_probs, labels[:, None], axis=1))


class TextClassifier:
    """Estimator with fit and predict."""

    def __init__(self, key, vocab, dim=16, classes=2, pooling="mean"):
        self.params = init_params(key, vocab, dim, classes)
        self.pooling = pooling
        self._forward = jax.jit(forward, static_argnames=("pool",))  # expect: static-name-mismatch
        self._grad = jax.jit(jax.grad(loss_fn), static_argnums=3)

    def fit(self, tokens, labels, steps=60, rate=0.5):
        for _ in range(steps):
            grads = self._grad(self.params, tokens, labels, self.pooling)
            self.params = jax.tree.map(lambda p, g: p - rate * g, self.params, grads)
        return self

    def predict(self, tokens):
        return jnp.argmax(self._forward(self.params, tokens, pooling=self.pooling), axis=-1)


def main():
    token_key, model_key = jax.random.split(jax.random.key(10))
    tokens = jax.random.randint(token_key, (40, 6), 0, 30)
    labels = (tokens == 7).any(axis=1).astype(jnp.int32)
    classifier = TextClassifier(model_key, vocab=30).fit(tokens, labels)
    score = jnp.mean(classifier.predict(tokens) == labels)
    assert score > 0.8
    print("accuracy on the training texts:", score)


if __name__ == "__main__":
    main()
