"""after general knowledge; slug: jit-in-function"""
import jax
import jax.numpy as jnp


class KernelRegressor:
    def __init__(self, x, y, scale):
        self.x, self.y, self.scale = x, y, scale

    def predict(self, query):
        def one(q):
            k = jnp.exp(-jnp.sum((self.x - q) ** 2, axis=-1) / self.scale)
            return jnp.dot(k, self.y) / jnp.sum(k)

        return jax.jit(jax.vmap(one))(query)  # expect: jit-in-function


def cross_validate(model, folds):
    return [jnp.mean((model.predict(x) - y) ** 2) for x, y in folds]


def demonstrate():
    import jax._src.test_util as tu
    model = KernelRegressor(jnp.ones((3, 2)), jnp.ones(3), 1.0)
    folds = [(jnp.ones((2, 2)), jnp.ones(2))] * 4
    cross_validate(model, folds)
    with tu.count_jit_compilation_cache_miss() as misses:
        cross_validate(model, folds)
    assert misses() >= 4, misses()
