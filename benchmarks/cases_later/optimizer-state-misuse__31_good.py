"""after adamw without the parameters; slug: optimizer-state-misuse"""

import jax
import jax.numpy as jnp
import optax


class Trainer:
    def __init__(self, params, rate):
        self.params = params
        self.optimizer = optax.adamw(rate, weight_decay=1e-4)
        self.state = self.optimizer.init(params)

    def loss(self, params, x, y):
        return jnp.mean((x @ params["w"] - y) ** 2)

    def fit(self, x, y, epochs):
        for _ in range(epochs):
            grads = jax.grad(self.loss)(self.params, x, y)
            updates, self.state = self.optimizer.update(grads, self.state, self.params)
            self.params = optax.apply_updates(self.params, updates)
        return self.params


def main():
    trainer = Trainer({"w": jnp.ones(3)}, 1e-2)
    return trainer.fit(jnp.ones((4, 3)), jnp.zeros(4), 2)


def demonstrate():
    assert main()["w"].shape == (3,)
