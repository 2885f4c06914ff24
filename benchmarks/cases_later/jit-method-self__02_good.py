"""after general knowledge; slug: jit-method-self; corrected twin"""
import jax
import jax.numpy as jnp


class Encoder:
    scale = 2.0

    def __init__(self, weight):
        self.weight = weight

    def encode(self, x):
        return self.project(x) * self.scale

    def project(self, x):
        return jnp.tanh(x @ self.weight)


def run():
    return Encoder(jnp.eye(2)).encode(jnp.ones(2))


def demonstrate():
    run()
