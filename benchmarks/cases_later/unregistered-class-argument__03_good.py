"""after general knowledge; slug: unregistered-class-argument; corrected twin"""
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Mixture:
    def __init__(self, weights, means):
        self.weights = weights
        self.means = means

    def tree_flatten(self):
        return (self.weights, self.means), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

    def log_prob(self, x):
        return jax.scipy.special.logsumexp(jnp.log(self.weights) - 0.5 * (x - self.means) ** 2)


@jax.jit
def total_log_prob(model, xs):
    return jax.vmap(model.log_prob)(xs).sum()


def fit(xs):
    mixture = Mixture(jnp.ones(2) / 2, jnp.array([0.0, 1.0]))
    return total_log_prob(mixture, xs)


def demonstrate():
    fit(jnp.ones(3))
