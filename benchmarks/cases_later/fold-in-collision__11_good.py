"""after worker keys from split, epoch keys from fold_in; slug: fold-in-collision; corrected twin"""
import jax
import jax.numpy as jnp


def worker_noise(root, workers):
    keys = jax.random.split(root, workers)
    return jax.vmap(lambda k: jax.random.normal(k, (2,)))(keys)


def epoch_noise(root, epochs):
    root = jax.random.fold_in(root, 10_000)
    rows = []
    for epoch in range(epochs):
        rows.append(jax.random.normal(jax.random.fold_in(root, epoch), (2,)))
    return jnp.stack(rows)


def run(seed):
    root = jax.random.key(seed)
    return worker_noise(root, 3), epoch_noise(root, 3)


def demonstrate():
    a, b = run(0)
    assert not jnp.array_equal(a, b)
