"""after general knowledge; slug: jit-in-function; corrected twin"""
import jax
import jax.numpy as jnp


class KernelRegressor:
    def __init__(self, x, y, scale):
        self.x, self.y, self.scale = x, y, scale

    def predict(self, query):
        def one(q):
            k = jnp.exp(-jnp.sum((self.x - q) ** 2, axis=-1) / self.scale)
            return jnp.dot(k, self.y) / jnp.sum(k)

        return jax.vmap(one)(query)


def cross_validate(model, folds):
    return [jnp.mean((model.predict(x) - y) ** 2) for x, y in folds]


def demonstrate():
    cross_validate(KernelRegressor(jnp.ones((3, 2)), jnp.ones(3), 1.0), [(jnp.ones((2, 2)), jnp.ones(2))])
