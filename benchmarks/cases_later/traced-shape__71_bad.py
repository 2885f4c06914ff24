"""Evaluation of a small linen classifier with label smoothing."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Classifier(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x):
        x = nn.gelu(nn.Dense(32)(x))
        return nn.Dense(self.classes)(x)


model = Classifier(classes=4)


def smoothed_targets(labels, num_classes, smoothing):
    targets = jax.nn.one_hot(labels, num_classes)  # expect: traced-shape
    return targets * (1.0 - smoothing) + smoothing / num_classes


def cross_entropy(logits, labels, num_classes, smoothing=0.1):
    targets = smoothed_targets(labels, num_classes, smoothing)
    return -jnp.sum(targets * nn.log_softmax(logits), axis=-1)


@jax.jit
def eval_step(variables, batch, num_classes):
    logits = model.apply(variables, batch["x"])
    losses = cross_entropy(logits, batch["label"], num_classes)
    hits = jnp.argmax(logits, axis=-1) == batch["label"]
    return losses.mean(), hits.mean()


def evaluate(variables, batches, num_classes):
    results = [eval_step(variables, batch, num_classes) for batch in batches]
    losses, hits = zip(*results)
    return jnp.stack(losses).mean(), jnp.stack(hits).mean()


def main():
    init_key, x_key, label_key = jax.random.split(jax.random.key(1), 3)
    x = jax.random.normal(x_key, (3, 16, 8))
    labels = jax.random.randint(label_key, (3, 16), 0, 4)
    variables = model.init(init_key, x[0])
    batches = [{"x": x[i], "label": labels[i]} for i in range(3)]
    loss, accuracy = evaluate(variables, batches, 4)
    assert jnp.isfinite(loss)
    print("loss:", loss, "accuracy:", accuracy)


if __name__ == "__main__":
    main()
