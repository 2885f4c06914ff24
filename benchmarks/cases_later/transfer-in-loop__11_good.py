"""after the same table put on the device in each step; slug: transfer-in-loop; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np

EDGES = np.random.default_rng(0).integers(0, 50, size=(2, 200))


@jax.jit
def propagate(h, edges):
    src, dst = edges
    return jnp.zeros_like(h).at[dst].add(h[src])


def run(h, rounds):
    edges = jax.device_put(EDGES)
    for _ in range(rounds):
        h = propagate(h, edges)
    return h


def demonstrate():
    puts = []
    plain = jax.device_put
    jax.device_put = lambda *a, **k: (puts.append(1), plain(*a, **k))[1]
    run(jnp.ones(50), 4)
    jax.device_put = plain
    assert len(puts) == 1
