"""losses of several heads averaged as a list; slug: sequence-argument"""
import haiku as hk
import jax
import jax.numpy as jnp


class Heads:
    def __init__(self, names):
        self.names = names
        self.net = hk.without_apply_rng(hk.transform(self.forward))

    def forward(self, x):
        trunk = jax.nn.relu(hk.Linear(8)(x))
        return {name: hk.Linear(1, name=name)(trunk) for name in self.names}

    def loss(self, params, x, targets):
        outputs = self.net.apply(params, x)
        terms = [jnp.mean((outputs[name] - targets[name]) ** 2) for name in self.names]
        return jnp.mean(terms)  # expect: sequence-argument


def main():
    heads = Heads(("age", "height"))
    x = jnp.ones((4, 3))
    params = heads.net.init(jax.random.key(0), x)
    return jax.grad(heads.loss)(params, x, {"age": jnp.zeros((4, 1)), "height": jnp.zeros((4, 1))})


def demonstrate():
    try:
        main()
    except TypeError as err:
        return str(err)
    raise AssertionError("expected a failure")
