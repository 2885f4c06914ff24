"""a method whose loss hands back batch statistics; slug: missing-has-aux"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.BatchNorm(use_running_average=False)(nn.Dense(4)(x))
        return nn.Dense(1)(x)


class Learner:
    def __init__(self, x):
        self.net = Net()
        self.variables = self.net.init(jax.random.key(0), x)

    def loss(self, params, stats, x, y):
        out, updated = self.net.apply({"params": params, "batch_stats": stats}, x, mutable=["batch_stats"])
        return jnp.mean((out - y) ** 2), updated["batch_stats"]

    def learn(self, x, y):
        params, stats = self.variables["params"], self.variables["batch_stats"]
        grads, stats = jax.grad(self.loss, has_aux=True)(params, stats, x, y)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        self.variables = {"params": params, "batch_stats": stats}


def main():
    x = jnp.ones((4, 3))
    learner = Learner(x)
    learner.learn(x, jnp.zeros((4, 1)))
    return learner.variables


def demonstrate():
    main()
