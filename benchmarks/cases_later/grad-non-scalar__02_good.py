"""after general knowledge; slug: grad-non-scalar; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 2, key=key)

    def __call__(self, x):
        return jax.nn.softplus(self.linear(x))


def loss(model, x, y):
    pred = jax.vmap(model)(x)
    return jnp.mean((pred - y) ** 2)


@eqx.filter_jit
def step(model, x, y):
    value, grads = eqx.filter_value_and_grad(loss)(model, x, y)
    return value, eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))


def train(key):
    return step(Net(key), jnp.ones((4, 3)), jnp.zeros((4, 2)))


def demonstrate():
    train(jax.random.key(0))
