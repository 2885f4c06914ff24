"""after general knowledge; slug: optimizer-state-misuse"""
import jax
import jax.numpy as jnp
import optax


class Trainer:
    def __init__(self, params, lr=0.1):
        self.tx = optax.adam(lr)
        self.params = params
        self.opt_state = self.tx.init(params)

    def step(self, x, y):
        grads = jax.grad(lambda p: jnp.mean((x @ p - y) ** 2))(self.params)
        updates, _ = self.tx.update(grads, self.opt_state)  # expect: optimizer-state-misuse
        self.params = optax.apply_updates(self.params, updates)


def fit(x, y, steps=3):
    trainer = Trainer(jnp.zeros(x.shape[1]))
    for _ in range(steps):
        trainer.step(x, y)
    return trainer


def demonstrate():
    assert int(fit(jnp.ones((2, 3)), jnp.ones(2)).opt_state[0].count) == 0
