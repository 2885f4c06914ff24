"""Random-walk Metropolis sampler for a banana-shaped density."""

import jax
import jax.numpy as jnp


def log_density(point):
    x, y = point
    return -0.5 * (x**2 / 4.0 + (y - 0.25 * x**2) ** 2)


def gaussian(key, shape):
    key, sub = jax.random.split(key)
    return key, jax.random.normal(sub, shape)


def log_uniform(key):
    key, sub = jax.random.split(key)
    return key, jnp.log(jax.random.uniform(sub, minval=1e-7))


class Metropolis:
    def __init__(self, log_prob, scale=0.8):
        self.log_prob = log_prob
        self.scale = scale

    def jump(self, key, point):
        key, move = gaussian(key, point.shape)
        _, swirl = gaussian(key, point.shape)  # expect: discarded-key-update
        key, threshold = log_uniform(key)
        candidate = point + self.scale * move + 0.1 * swirl
        return key, candidate, threshold, swirl

    def transition(self, carry, _):
        key, point = carry
        key, candidate, threshold, _ = self.jump(key, point)
        accept = threshold < self.log_prob(candidate) - self.log_prob(point)
        point = jnp.where(accept, candidate, point)
        return (key, point), (point, accept)

    def sample(self, key, start, num_samples):
        _, (chain, accepted) = jax.lax.scan(self.transition, (key, start), length=num_samples)
        return chain, accepted.mean()


def main():
    sampler = Metropolis(log_density)
    chain, rate = sampler.sample(jax.random.key(8), jnp.zeros(2), 500)
    print("mean", chain.mean(axis=0), "acceptance", rate)


if __name__ == "__main__":
    main()


def demonstrate():
    sampler = Metropolis(log_density)
    with jax.debug_key_reuse(True):
        error = None
        try:
            sampler.sample(jax.random.key(8), jnp.zeros(2), 20)
        except jax.errors.KeyReuseError as err:
            error = err
    assert isinstance(error, jax.errors.KeyReuseError)
