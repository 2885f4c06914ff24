"""An inference server: requests of any length are padded to a few buckets, so that few programs serve them all."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran

BUCKETS = (4, 8, 16)
REQUESTS = (3, 4, 7, 2, 12, 8, 16, 1, 5, 9)
WEIGHTS = {"w": np.full((4, 2), 0.5, np.float32), "b": np.zeros(2, np.float32)}


def energy(params, x):
    ran("energy")
    return jnp.sum(jnp.tanh(x @ params["w"] + params["b"]))


# reasons: first shape shape
@jax.jit
def scores(params, batch):
    ran("scores")
    return jax.vmap(partial(energy, params))(batch)


# reasons: first shape shape
@jax.jit
def saliency(params, batch):
    ran("saliency")
    return jax.vmap(jax.grad(energy, argnums=1), in_axes=(None, 0))(params, batch)


# reasons: first shape shape shape shape shape shape shape shape shape
@jax.jit
def unpadded(params, batch):
    ran("unpadded")
    return jnp.tanh(batch @ params["w"] + params["b"])


# reasons: first static-value static-value
@partial(jax.jit, static_argnames="k")
def top(values, k):
    ran("top")
    return jax.lax.top_k(values, k)


# reasons: first
@partial(jax.jit, donate_argnums=0)
def count(total, served):
    ran("count")
    return total + served


# reasons: first
@jax.jit
@jax.vmap
def clip(row):
    ran("clip")
    return jnp.clip(row, -1.0, 1.0)


def to_bucket(batch):
    size = next(bucket for bucket in BUCKETS if bucket >= len(batch))
    return np.pad(batch, ((0, size - len(batch)), (0, 0)))


class Server:
    def __init__(self, params):
        self.params = jax.device_put(params)
        self.total = jnp.zeros((), jnp.int32)

    def handle(self, batch):
        padded = to_bucket(batch)
        answer = scores(self.params, padded)[: len(batch)]
        gradient = saliency(self.params, padded)[: len(batch)]
        self.total = count(self.total, np.int32(len(batch)))
        return np.asarray(answer), np.asarray(gradient)


def main():
    server = Server(WEIGHTS)
    rng = np.random.default_rng(2)
    for size in REQUESTS:
        batch = rng.normal(size=(size, 4)).astype(np.float32)
        answer, gradient = server.handle(batch)
        assert (answer.shape, gradient.shape) == ((size,), (size, 4))
        unpadded(WEIGHTS, batch)
    for k in (1, 3, 1, 5, 3):
        top(jnp.arange(8.0), k)  # confirmed: varying-static-argument
    for _ in range(5):
        clip(jnp.ones((2, 3)))
    assert int(server.total) == sum(REQUESTS)


main()
