"""after general knowledge; slug: jit-method-self"""
import jax
import jax.numpy as jnp


class Encoder:
    scale = 2.0

    def __init__(self, weight):
        self.weight = weight

    def encode(self, x):
        return self.project(x) * self.scale

    @jax.jit  # expect: jit-method-self
    def project(self, x):
        return jnp.tanh(x @ self.weight)


def run():
    return Encoder(jnp.eye(2)).encode(jnp.ones(2))


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
