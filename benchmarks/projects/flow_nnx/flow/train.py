"""A trainer with an average of the weights."""
import jax
import jax.numpy as jnp
import optax
from flax import nnx

from . import loss as losses, paths
from .config import Config
from .net import Velocity


class Trainer:
    def __init__(self, config: Config, seed: int = 0, path=None):
        self.config = config
        self.model = Velocity(config.model, rngs=nnx.Rngs(seed))
        self.path = path or paths.make(config.path)
        self.graph, self.params = nnx.split(self.model)
        self.optimizer = optax.adam(config.rate)
        self.opt_state = self.optimizer.init(self.params)
        self.average = jax.tree.map(jnp.copy, self.params)
        self.history = {"loss": [], "norm": []}
        self._step = jax.jit(self._update, donate_argnums=(0, 1))

    def _update(self, params, opt_state, key, data):
        def of(params):
            return losses.loss_split(nnx.merge(self.graph, params), self.path, key, data)

        value, grads = jax.value_and_grad(of)(params)
        self.history["norm"].append(optax.global_norm(grads))  # expect: captured-mutation
        updates, opt_state = self.optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, value

    def fit(self, batches, key):
        for data in batches:
            key, sub = jax.random.split(key)
            self.params, self.opt_state, value = self._step(self.params, self.opt_state, sub, data)
            self.history["loss"].append(float(value))
        return self.history["loss"]

    def fit_averaged(self, batches, key, decay=0.9):
        for data in batches:
            key, sub = jax.random.split(key)
            old = self.params
            self.params, self.opt_state, value = self._step(old, self.opt_state, sub, data)
            self.average = jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, self.average, old)  # expect: use-after-donate
        return self.average

    def fit_averaged_after(self, batches, key, decay=0.9):
        for data in batches:
            key, sub = jax.random.split(key)
            self.params, self.opt_state, value = self._step(self.params, self.opt_state, sub, data)
            self.average = jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, self.average, self.params)
        return self.average

    def trained(self):
        return nnx.merge(self.graph, self.params)
