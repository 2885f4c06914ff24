"""after general knowledge; slug: unregistered-class-argument"""
import jax
import jax.numpy as jnp


class Mixture:
    def __init__(self, weights, means):
        self.weights = weights
        self.means = means

    def log_prob(self, x):
        return jax.scipy.special.logsumexp(jnp.log(self.weights) - 0.5 * (x - self.means) ** 2)


@jax.jit
def total_log_prob(model, xs):
    return jax.vmap(model.log_prob)(xs).sum()


def fit(xs):
    mixture = Mixture(jnp.ones(2) / 2, jnp.array([0.0, 1.0]))
    return total_log_prob(mixture, xs)  # expect: unregistered-class-argument


def demonstrate():
    try:
        fit(jnp.ones(3))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
