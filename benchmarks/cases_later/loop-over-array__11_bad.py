"""after per-sample Python loop over a device array; slug: loop-over-array"""
import jax
import jax.numpy as jnp


def energy(position):
    return 0.5 * jnp.sum(position ** 2) + jnp.sum(jnp.cos(position))


def mean_energy(positions):
    total = 0.0
    for position in positions:  # expect: loop-over-array
        total = total + energy(position)
    return total / len(positions)


def main(seed):
    positions = jax.random.normal(jax.random.key(seed), (500, 3))
    return mean_energy(positions)


def demonstrate():
    calls = []
    global energy
    plain = energy
    energy = lambda p: (calls.append(1), plain(p))[1]
    main(0)
    energy = plain
    assert len(calls) == 500
