"""a filter state that forgets its step counter; slug: none"""
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Kalman:
    def __init__(self, mean, cov):
        self.mean = mean
        self.cov = cov
        self.steps = 0

    def advance(self):
        self.steps = self.steps + 1
        return self

    def tree_flatten(self):
        return (self.mean, self.cov, self.steps), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        out = cls(*children[:2])
        out.steps = children[2]
        return out


def demonstrate():
    state = Kalman(jnp.zeros(2), jnp.eye(2)).advance().advance()
    copy = jax.tree.map(lambda x: x, state)
    assert copy.steps == 2
