"""an average of parameters that lacks the head; slug: tree-structure-mismatch"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Averaged:
    """Keeps a moving average of some parameters."""

    def __init__(self, decay):
        self.decay = decay

    def update(self, average, params):
        return jax.tree.map(lambda a, p: self.decay * a + (1 - self.decay) * p, average, params)


def main():
    params = {"body": jnp.ones((3, 3)), "head": jnp.ones(3)}
    average = {"body": jnp.zeros((3, 3)), "head": jnp.zeros(3)}
    averaged = Averaged(0.9)
    for _ in range(2):
        average = averaged.update(average, params)
    return average


def demonstrate():
    main()
