"""Trainer with a bias-corrected moving average of the weights."""

import jax
import jax.numpy as jnp
import optax


def regression_loss(params, batch):
    prediction = jnp.tanh(batch["x"] @ params["w1"]) @ params["w2"]
    return jnp.mean((prediction - batch["y"]) ** 2)


class AveragingTrainer:
    def __init__(self, loss_fn, learning_rate=0.05, decay=0.9):
        self.loss_fn = loss_fn
        self.decay = decay
        self.optimizer = optax.sgd(learning_rate)
        self.updates_done = 0
        self._compiled = jax.jit(self._update)

    def init(self, params):
        average = jax.tree.map(jnp.zeros_like, params)
        return params, average, self.optimizer.init(params)

    def _blend(self, average, params):
        return jax.tree.map(
            lambda a, p: self.decay * a + (1.0 - self.decay) * p, average, params
        )

    def _update(self, params, average, opt_state, batch):
        loss, grads = jax.value_and_grad(self.loss_fn)(params, batch)
        updates, opt_state = self.optimizer.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        return params, self._blend(average, params), opt_state, loss

    def step(self, carry, batch):
        self.updates_done += 1
        *carry, loss = self._compiled(*carry, batch)
        return tuple(carry), loss

    def averaged(self, carry):
        correction = 1.0 - self.decay**self.updates_done
        return jax.tree.map(lambda a: a / correction, carry[1])


def main(steps=50):
    x_key, w1_key, w2_key = jax.random.split(jax.random.key(6), 3)
    x = jax.random.normal(x_key, (32, 4))
    batch = {"x": x, "y": jnp.sin(x[:, :1])}
    params = {
        "w1": 0.3 * jax.random.normal(w1_key, (4, 8)),
        "w2": 0.3 * jax.random.normal(w2_key, (8, 1)),
    }
    trainer = AveragingTrainer(regression_loss)
    carry = trainer.init(params)
    for _ in range(steps):
        carry, _ = trainer.step(carry, batch)
    return trainer, trainer.averaged(carry), carry


def demonstrate():
    trainer, averaged, carry = main(steps=40)
    gap = float(jnp.abs(averaged["w1"]).max() / jnp.abs(carry[0]["w1"]).max())
    assert trainer.updates_done == 40 and gap < 1.5, gap
