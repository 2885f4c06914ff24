"""Simulated annealing of an Ising ring, many replicas in parallel."""

from functools import partial

import jax
import jax.numpy as jnp


def ring_energy(spins):
    return -jnp.sum(spins * jnp.roll(spins, 1))


def flip_probability(spins, site, temperature):
    size = spins.shape[0]
    neighbours = spins[(site - 1) % size] + spins[(site + 1) % size]
    return jax.nn.sigmoid(-2.0 * spins[site] * neighbours / temperature)


def flip_one(carry, key, temperature):
    site_key, accept_key = jax.random.split(key)
    site = jax.random.randint(site_key, (), 0, carry.shape[0])
    accept = jax.random.uniform(accept_key) < flip_probability(carry, site, temperature)
    return carry.at[site].multiply(jnp.where(accept, -1.0, 1.0)), None


@partial(jax.jit, static_argnames=("temperature", "flips"))
def sweep(spins, key, temperature, flips):
    def single(replica, replica_key):
        keys = jax.random.split(replica_key, flips)
        return jax.lax.scan(partial(flip_one, temperature=temperature), replica, keys)[0]

    return jax.vmap(single)(spins, jax.random.split(key, spins.shape[0]))


class Annealer:
    def __init__(self, hot=3.0, cooling=0.8):
        self.hot = hot
        self.cooling = cooling

    def anneal(self, spins, key, rounds):
        temperature = self.hot
        for _ in range(rounds):
            key, sub = jax.random.split(key)
            spins = sweep(spins, sub, temperature=temperature, flips=32)  # expect: varying-static-argument
            temperature = self.cooling * temperature
        return spins


def main():
    start_key, run_key = jax.random.split(jax.random.key(30))
    spins = jax.random.rademacher(start_key, (8, 32), jnp.float32)
    final = Annealer().anneal(spins, run_key, rounds=12)
    print("energies", jax.vmap(ring_energy)(final))


def demonstrate():
    sweep.clear_cache()
    spins = jnp.ones((2, 6))
    Annealer().anneal(spins, jax.random.key(1), rounds=4)
    assert sweep._cache_size() == 4
