"""after seeding inside the epoch loop; slug: constant-key; corrected twin"""
import jax
import jax.numpy as jnp


def minibatches(x, size, key):
    order = jax.random.permutation(key, x.shape[0])
    for i in range(0, x.shape[0], size):
        yield x[order[i:i + size]]


def train(x, epochs):
    firsts = []
    root = jax.random.key(0)
    for epoch in range(epochs):
        key = jax.random.fold_in(root, epoch)
        for batch in minibatches(x, 4, key):
            firsts.append(batch[0])
    return firsts


def demonstrate():
    f = train(jnp.arange(64.0), 2)
    assert [float(v) for v in f[:16]] != [float(v) for v in f[16:]]
