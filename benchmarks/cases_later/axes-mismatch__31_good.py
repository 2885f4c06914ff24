"""after a model mapped over inputs and one broadcast key; slug: axes-mismatch"""

import equinox as eqx
import jax
import jax.numpy as jnp


class Noisy(eqx.Module):
    layer: eqx.nn.Linear

    def __call__(self, x, key):
        return self.layer(x) + 0.1 * jax.random.normal(key, (2,))


@eqx.filter_jit
def forward(model, xs, key):
    keys = jax.random.split(key, xs.shape[0])
    return jax.vmap(model)(xs, keys)


def main():
    model_key, noise_key = jax.random.split(jax.random.key(0))
    model = Noisy(eqx.nn.Linear(3, 2, key=model_key))
    return forward(model, jnp.ones((6, 3)), noise_key)


def demonstrate():
    assert main().shape == (6, 2)
