"""after VAE: latent and observation noise from one key; slug: key-reuse"""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Gaussian(NamedTuple):
    mean: jax.Array
    log_std: jax.Array

    def sample(self, key):
        eps = jax.random.normal(key, self.mean.shape)
        return self.mean + jnp.exp(self.log_std) * eps


def encode(params, x):
    h = jnp.tanh(x @ params["enc"])
    return Gaussian(h @ params["mu"], h @ params["ls"])


def decode(params, z):
    h = jnp.tanh(z @ params["dec"])
    return Gaussian(h, jnp.full_like(h, -1.0))


def reconstruct(params, x, rng):
    z = encode(params, x).sample(rng)
    return decode(params, z).sample(rng)  # expect: key-reuse


def demonstrate():
    p = {k: jnp.zeros((3, 3)) for k in ("enc", "mu", "ls", "dec")}
    rng = jax.random.key(1)
    out = reconstruct(p, jnp.ones((2, 3)), rng)
    same = jnp.allclose(out, jnp.exp(-1.0) * jax.random.normal(rng, (2, 3)), atol=1e-5)
    assert same
