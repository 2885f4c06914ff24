"""after a loader generator shuffles each epoch the same way; slug: key-reuse-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


def batches(data, key, batch_size, epochs):
    n = data.shape[0] - data.shape[0] % batch_size
    for _ in range(epochs):
        key, shuffle_key = jax.random.split(key)
        order = jax.random.permutation(shuffle_key, data.shape[0])[:n]
        for start in range(0, n, batch_size):
            yield data[order[start:start + batch_size]]


def mean_of_batches(data, seed):
    means = []
    for batch in batches(data, jax.random.key(seed), 4, epochs=2):
        means.append(batch.mean())
    return jnp.stack(means)


def demonstrate():
    m = mean_of_batches(jnp.arange(16.0), 0)
    assert not jnp.array_equal(m[:4], m[4:])
