import jax
import jax.numpy as jnp


def sample_weights(seed):
    key = jax.random.PRNGKey(seed)
    prior = jax.random.gamma(key, 2.0, (4,))
    noise = jax.random.normal(key, (4,))
    signs = jax.random.rademacher(key, (4,))
    return prior, noise, signs


def simulate(seeds):
    return [sample_weights(seed) for seed in seeds]


# --- what it should do
prior, noise, _ = sample_weights(1)
key = jax.random.PRNGKey(1)
assert not bool((noise == jax.random.normal(key, (4,))).all() and (prior == jax.random.gamma(key, 2.0, (4,))).all())
