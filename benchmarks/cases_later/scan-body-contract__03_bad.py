"""after general knowledge; slug: scan-body-contract"""
import jax
import jax.numpy as jnp


def particle_filter(key, observations, particles):
    def step(state, observation):
        key, particles = state
        key, sub = jax.random.split(key)
        particles = particles + jax.random.normal(sub, particles.shape)
        weights = jax.nn.softmax(-(particles - observation) ** 2)
        estimate = jnp.sum(weights * particles)
        return (key, particles), estimate, weights  # expect: scan-body-contract

    return jax.lax.scan(step, (key, particles), observations)


def demonstrate():
    try:
        particle_filter(jax.random.key(0), jnp.ones(3), jnp.zeros(5))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
