"""dropout in the evaluation of an ensemble; slug: missing-rng-stream"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    rate: float

    @nn.compact
    def __call__(self, x, deterministic):
        x = nn.gelu(nn.Dense(8)(x))
        return nn.Dropout(rate=self.rate)(x, deterministic=deterministic)


class Uncertainty:
    """Monte Carlo dropout."""

    def __init__(self, x):
        self.encoder = Encoder(rate=0.2)
        self.variables = self.encoder.init(jax.random.key(0), x, deterministic=True)

    def samples(self, x, count):
        outputs = []
        for key in jax.random.split(jax.random.key(1), count):
            outputs.append(self.encoder.apply(self.variables, x, deterministic=False))  # expect: missing-rng-stream
        return jnp.stack(outputs)


def main():
    x = jnp.ones((2, 4))
    return Uncertainty(x).samples(x, 3).std(axis=0)


def demonstrate():
    try:
        main()
    except Exception as err:
        return str(err)
    raise AssertionError("expected a failure")
