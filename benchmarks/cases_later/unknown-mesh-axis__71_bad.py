"""Tensor-parallel feed-forward block for inference."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P


def make_mesh():
    kinds = (AxisType.Auto, AxisType.Auto)
    return jax.make_mesh((2, 4), ("data", "model"), axis_types=kinds)


def weight_shardings(mesh):
    """Split the hidden dimension of both projections."""
    return {
        "up": NamedSharding(mesh, P(None, "model")),
        "gate": NamedSharding(mesh, P(None, "model")),
        "down": NamedSharding(mesh, P("tensor", None)),  # expect: unknown-mesh-axis
    }


def init_weights(key, dim, hidden):
    up_key, gate_key, down_key = jax.random.split(key, 3)
    return {
        "up": jax.random.normal(up_key, (dim, hidden)) / dim**0.5,
        "gate": jax.random.normal(gate_key, (dim, hidden)) / dim**0.5,
        "down": jax.random.normal(down_key, (hidden, dim)) / hidden**0.5,
    }


def feed_forward(weights, x):
    hidden = jax.nn.silu(x @ weights["gate"]) * (x @ weights["up"])
    return hidden @ weights["down"]


class Block:
    def __init__(self, key, dim=32, hidden=128):
        mesh = make_mesh()
        self.weights = jax.device_put(init_weights(key, dim, hidden), weight_shardings(mesh))
        self.rows = NamedSharding(mesh, P("data", None))
        self._apply = jax.jit(feed_forward, out_shardings=self.rows)

    def __call__(self, x):
        return self._apply(self.weights, jax.device_put(x, self.rows))


def main():
    weight_key, x_key = jax.random.split(jax.random.key(1))
    block = Block(weight_key)
    x = jax.random.normal(x_key, (16, 32))
    y = block(x)
    assert jnp.allclose(y, feed_forward(jax.device_get(block.weights), x), atol=1e-4)
    print("output", y.shape, "on", y.sharding.spec)


if __name__ == "__main__":
    jax.config.update("jax_num_cpu_devices", 8)
    main()
