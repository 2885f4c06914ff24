"""Sequence tagger in Haiku with running statistics of each update."""

import haiku as hk
import jax
import jax.numpy as jnp
import optax


def tagger(tokens):
    embedded = hk.Embed(vocab_size=20, embed_dim=8)(tokens)
    hidden = jax.nn.relu(hk.Linear(16)(embedded))
    return hk.Linear(4)(hidden)


network = hk.without_apply_rng(hk.transform(tagger))
optimizer = optax.adam(1e-2)


def loss_fn(params, tokens, tags):
    logits = network.apply(params, tokens)
    return optax.softmax_cross_entropy_with_integer_labels(logits, tags).mean()


def record(metrics, loss, grads):
    scale = optax.global_norm(grads)
    return {
        "loss": metrics["loss"] + loss,
        "largest": jnp.maximum(metrics["largest"], scale),
    }


@jax.jit
def update(params, opt_state, metrics, tokens, tags):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, tags)
    metrics = record(metrics, loss, grads)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, metrics


def train(seed=0, steps=25):
    init_key, data_key = jax.random.split(jax.random.key(seed))
    tokens = jax.random.randint(data_key, (8, 12), 0, 20)
    tags = tokens % 4
    params = network.init(init_key, tokens)
    opt_state = optimizer.init(params)
    metrics = {"loss": jnp.zeros(()), "largest": jnp.zeros(())}
    for _ in range(steps):
        params, opt_state, metrics = update(params, opt_state, metrics, tokens, tags)
    return params, {"mean_loss": metrics["loss"] / steps, "largest": metrics["largest"]}


def main():
    _, summary = train()
    print(summary)


if __name__ == "__main__":
    main()


def demonstrate():
    _, summary = train(steps=3)
    assert summary["mean_loss"] > 0.5 and summary["largest"] > 0.0
