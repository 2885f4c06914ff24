"""Bootstrap particle filter for a random walk seen through noise."""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Particles:
    positions: jax.Array
    log_weights: jax.Array

    @classmethod
    def create(cls, positions, log_weights):
        if positions.shape[0] != log_weights.shape[0]:
            raise ValueError("one weight for each particle")
        return cls(positions=positions, log_weights=log_weights)


def initial(key, count):
    positions = jax.random.normal(key, (count,))
    return Particles.create(positions, jnp.zeros(count))


def reweight(particles, observation):
    log_likelihood = -0.5 * (observation - particles.positions) ** 2
    return particles.replace(log_weights=particles.log_weights + log_likelihood)


def resample(key, particles):
    chosen = jax.random.categorical(key, particles.log_weights, shape=particles.positions.shape)
    return Particles.create(particles.positions[chosen], jnp.zeros_like(particles.log_weights))


def best(particles):
    """The heaviest particle, as a state of its own."""
    index = jnp.argmax(particles.log_weights)
    return jax.tree.map(lambda leaf: leaf[index], particles)


def main():
    init_key, resample_key = jax.random.split(jax.random.key(0))
    particles = reweight(initial(init_key, 64), 0.8)
    winner = best(particles)
    particles = resample(resample_key, particles)
    print("winner", winner.positions, "mean", particles.positions.mean())
    assert abs(float(winner.positions) - 0.8) < 0.2


if __name__ == "__main__":
    main()
