"""after a default argument makes the key at each call of the noise layer; slug: constant-key; corrected twin"""
import jax
import jax.numpy as jnp


def add_noise(x, seed=0, scale=0.1):
    return x + scale * jax.random.normal(seed, x.shape)


@jax.jit
def forward(w, x, key):
    return jnp.tanh(add_noise(x, key) @ w)


def train(w, xs):
    outs = []
    for i, x in enumerate(xs):
        outs.append(forward(w, x, jax.random.fold_in(jax.random.key(0), i)))
    return outs


def demonstrate():
    a, b = train(jnp.eye(2), [jnp.ones(2), jnp.ones(2)])
    assert not jnp.array_equal(a, b)
