"""Train a bigram language model on batches from a tiny loader."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Bigram(nn.Module):
    vocab: int

    @nn.compact
    def __call__(self, tokens):
        return nn.Dense(self.vocab)(nn.Embed(self.vocab, 16)(tokens))


class Loader:
    """Cut a token stream into batches of inputs and targets."""

    def __init__(self, tokens, split, batch, length):
        self.tokens = tokens
        self.split = split
        self.shape = (-1, batch, length + 1)

    def __iter__(self):
        for block in self.tokens.reshape(self.shape):
            yield {"inputs": block[:, :-1], "targets": block[:, 1:]}


model = Bigram(vocab=11)
optimizer = optax.adamw(3e-2)


def loss_fn(params, batch):
    logits = model.apply(params, batch["inputs"])
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, batch["targets"])
    return losses.mean()


@jax.jit
def train_step(params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    stream = np.arange(8 * 4 * 9) % 11
    loader = Loader(stream, "train", batch=4, length=8)
    params = model.init(jax.random.key(0), jnp.zeros((1, 8), jnp.int32))
    opt_state = optimizer.init(params)
    losses = []
    for batch in loader:
        params, opt_state, loss = train_step(params, opt_state, batch)
        losses.append(loss)
    assert losses[-1] < losses[0]
    print("loss:", losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
