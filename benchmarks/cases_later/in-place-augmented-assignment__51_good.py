"""running sums of activations of an nnx model; slug: in-place-augmented-assignment"""
import jax
import jax.numpy as jnp
from flax import nnx


class Probe(nnx.Module):
    def __init__(self, width, rngs):
        self.hidden = nnx.Linear(3, width, rngs=rngs)
        self.out = nnx.Linear(width, 2, rngs=rngs)

    def __call__(self, x):
        h = nnx.relu(self.hidden(x))
        return self.out(h), h


def activity(model, batches, width):
    totals = jnp.zeros((2, width))
    for batch in batches:
        _, h = model(batch)
        totals = totals.at[0].add(h.sum(axis=0))
        totals = totals.at[1].max(h.max(axis=0))
    return totals


def main():
    model = Probe(5, nnx.Rngs(0))
    return activity(model, [jnp.ones((4, 3)), jnp.zeros((4, 3))], 5)


def demonstrate():
    main()
