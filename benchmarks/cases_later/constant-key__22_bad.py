"""after seeding inside the epoch loop; slug: constant-key"""
import jax
import jax.numpy as jnp


def minibatches(x, size, key):
    order = jax.random.permutation(key, x.shape[0])
    for i in range(0, x.shape[0], size):
        yield x[order[i:i + size]]


def train(x, epochs):
    firsts = []
    for epoch in range(epochs):
        key = jax.random.PRNGKey(0)  # expect: constant-key
        for batch in minibatches(x, 4, key):
            firsts.append(batch[0])
    return firsts


def demonstrate():
    f = train(jnp.arange(64.0), 2)
    assert f[0] == f[16]
