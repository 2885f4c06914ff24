"""Data-parallel linear regression with explicit shardings."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

DEVICES = 8
FEATURES = 12
BATCH_SIZE = 60


def loss_fn(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def make_batch(key):
    x = jax.random.normal(key, (BATCH_SIZE, FEATURES))
    return x, x @ jnp.linspace(-1.0, 1.0, FEATURES)


class Trainer:
    def __init__(self):
        self.mesh = jax.make_mesh((DEVICES,), ("data",))
        self.rows = NamedSharding(self.mesh, P("data"))
        self.replicated = NamedSharding(self.mesh, P())

    def init(self):
        params = {"w": jnp.zeros(FEATURES), "b": jnp.zeros(())}
        return jax.device_put(params, self.replicated)

    def fit(self, key, steps):
        params = self.init()
        x, y = make_batch(key)
        x = jax.device_put(x, self.rows)  # expect: batch-not-divisible
        y = jax.device_put(y, self.replicated)
        losses = []
        for _ in range(steps):
            params, loss = train_step(params, x, y)
            losses.append(loss)
        return params, losses


def main():
    params, losses = Trainer().fit(jax.random.key(0), steps=30)
    assert losses[-1] < losses[0]
    print("loss:", losses[0], "->", losses[-1], "on", params["w"].sharding)


if __name__ == "__main__":
    jax.config.update("jax_num_cpu_devices", DEVICES)
    main()
