"""after indexing a typed key; slug: key-misuse; corrected twin"""
import jax
import jax.numpy as jnp


def worker_seed(key, rank):
    return int(jax.random.key_data(key)[0]) + rank


def seeds(n):
    key = jax.random.key(0)
    return [worker_seed(key, r) for r in range(n)]


def demonstrate():
    seeds(2)
