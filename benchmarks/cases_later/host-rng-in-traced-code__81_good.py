"""Residual network with stochastic depth, in Equinox."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Residual(eqx.Module):
    layer: eqx.nn.Linear
    survival: float = eqx.field(static=True)

    def __init__(self, width, survival, *, key):
        self.layer = eqx.nn.Linear(width, width, key=key)
        self.survival = survival

    def __call__(self, h, key):
        draw = jax.random.uniform(key)
        keep = jnp.where(draw < self.survival, 1.0, 0.0)
        return h + keep * jax.nn.relu(self.layer(h)) / self.survival


class Network(eqx.Module):
    blocks: list

    def __init__(self, width, depth, *, key):
        keys = jax.random.split(key, depth)
        self.blocks = [Residual(width, 0.5, key=k) for k in keys]

    def __call__(self, h, key):
        keys = jax.random.split(key, len(self.blocks))
        for block, block_key in zip(self.blocks, keys):
            h = block(h, block_key)
        return h


@eqx.filter_jit
def forward(model, h, key):
    return model(h, key)


def main():
    model_key, call_key = jax.random.split(jax.random.key(4))
    model = Network(width=6, depth=5, key=model_key)
    outputs = [forward(model, jnp.ones(6), k) for k in jax.random.split(call_key, 20)]
    different = len({float(out.sum()) for out in outputs})
    print("different outputs:", different)
    assert different > 1


if __name__ == "__main__":
    main()
