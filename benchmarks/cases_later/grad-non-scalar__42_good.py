"""the potential of a field returned with its axis kept; slug: none"""
import jax
import jax.numpy as jnp


class Field:
    def __init__(self, centers):
        self.centers = centers

    def potential(self, x):
        r2 = jnp.sum((self.centers - x) ** 2, axis=-1)
        return jnp.sum(jnp.exp(-r2))

    def force(self, x):
        return -jax.grad(self.potential)(x)


def main():
    return jax.vmap(Field(jnp.ones((5, 3))).force)(jnp.zeros((4, 3)))


def demonstrate():
    main()
