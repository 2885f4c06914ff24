"""after metrics pulled to NumPy in each step of a trainer class; slug: host-sync-in-loop; corrected twin"""
import jax
import jax.numpy as jnp
import numpy as np


class Trainer:
    def __init__(self, params):
        self.params = params
        self.log = []

    @staticmethod
    @jax.jit
    def _step(params, batch):
        def loss(p):
            return jnp.mean((batch @ p) ** 2)

        value, grad = jax.value_and_grad(loss)(params)
        return params - 0.1 * grad, {"loss": value, "norm": jnp.linalg.norm(grad)}

    def run(self, batches):
        for batch in batches:
            self.params, metrics = self._step(self.params, batch)
            self.log.append(metrics)
        return jax.device_get(self.log)


def demonstrate():
    log = Trainer(jnp.ones(2)).run([jnp.ones((2, 2))] * 3)
    assert isinstance(log[0]["loss"], np.ndarray)
