"""A recurrent classifier in flax nnx with dropout on the hidden states."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Recurrent(nnx.Module):
    def __init__(self, features, width, classes, rngs):
        self.width = width
        self.inputs = nnx.Linear(features, width, rngs=rngs)
        self.hidden = nnx.Linear(width, width, rngs=rngs)
        self.dropout = nnx.Dropout(0.2, rngs=rngs)
        self.out = nnx.Linear(width, classes, rngs=rngs)

    def __call__(self, sequence):
        """Logits for a batch of sequences, (batch, time, features)."""
        driven = jnp.swapaxes(self.inputs(sequence), 0, 1)

        def step(state, drive):
            state = nnx.tanh(drive + self.hidden(state))
            return state, state

        start = jnp.zeros((sequence.shape[0], self.width))
        _, states = jax.lax.scan(step, start, driven)
        return self.out(self.dropout(states).mean(axis=0))


def loss_fn(model, sequence, labels):
    logits = model(sequence)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@nnx.jit
def train_step(model, optimizer, sequence, labels):
    loss, grads = nnx.value_and_grad(loss_fn)(model, sequence, labels)
    optimizer.update(model, grads)
    return loss


def make_data(key, count, length):
    sequence = jax.random.normal(key, (count, length, 2))
    labels = (sequence[..., 0].mean(axis=1) > 0.0).astype(jnp.int32)
    return sequence, labels


def main():
    sequence, labels = make_data(jax.random.key(4), 64, 9)
    model = Recurrent(2, width=16, classes=2, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-2), wrt=nnx.Param)
    losses = []
    for _ in range(40):
        losses.append(train_step(model, optimizer, sequence, labels))
    assert losses[-1] < losses[0]
    print("loss:", losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
