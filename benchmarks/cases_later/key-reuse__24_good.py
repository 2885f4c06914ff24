"""after haiku: one next_rng_key for two masks; slug: key-reuse; corrected twin"""
import haiku as hk
import jax
import jax.numpy as jnp


class NoisyMLP(hk.Module):
    def __init__(self, width, rate):
        super().__init__()
        self.width = width
        self.rate = rate

    def __call__(self, x):
        key = hk.next_rng_key()
        h = hk.Linear(self.width)(x)
        keep = jax.random.bernoulli(key, 1 - self.rate, h.shape)
        h = jnp.where(keep, h, 0.0)
        h = hk.Linear(self.width)(h)
        keep = jax.random.bernoulli(hk.next_rng_key(), 1 - self.rate, h.shape)
        return jnp.where(keep, h, 0.0), keep


net = hk.transform(lambda x: NoisyMLP(16, 0.5)(x))


def run(seed):
    x = jnp.ones((2, 3))
    init_key, run_key = jax.random.split(jax.random.PRNGKey(seed))
    params = net.init(init_key, x)
    return net.apply(params, run_key, x)


def demonstrate():
    seen = []
    plain = jax.random.bernoulli
    jax.random.bernoulli = lambda k, *a: (seen.append(tuple(k.tolist())), plain(k, *a))[1]
    run(0)
    jax.random.bernoulli = plain
    a, b = seen[-2:]
    assert a != b
