"""Stochastic gradient Langevin dynamics with an ensemble of chains."""
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Config:
    chains: int = 4
    steps: int = 3
    step_size: float = 0.05


def log_density(theta):
    return -0.5 * jnp.sum(theta**2) - jnp.sum(jnp.cos(theta))


@jax.jit
def langevin_step(positions, key, step_size):
    drift = jax.vmap(jax.grad(log_density))(positions)
    noise = jax.random.normal(key, positions.shape)
    return positions + step_size * drift + jnp.sqrt(2 * step_size) * noise


def start_chains(keys, dim):
    return jax.vmap(lambda k: jax.random.normal(k, (dim,)))(keys)


def sample(key, config, dim):
    start_keys = jax.random.split(key, config.chains)
    positions = start_chains(start_keys, dim)
    step_keys = []
    for step in range(config.steps):
        step_key = jax.random.fold_in(key, step)  # expect: fold-in-collision
        positions = langevin_step(positions, step_key, config.step_size)
        step_keys.append(step_key)
    return positions, start_keys, jnp.stack(step_keys)


def shared_keys(first, second):
    a, b = jax.random.key_data(first), jax.random.key_data(second)
    return int(jnp.sum(jnp.all(a[:, None] == b[None, :], axis=-1)))


def main():
    positions, start_keys, step_keys = sample(jax.random.key(7), Config(), dim=5)
    assert positions.shape == (4, 5)
    assert shared_keys(start_keys, step_keys) == 3


if __name__ == "__main__":
    main()
