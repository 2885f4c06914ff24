"""Predictive uncertainty with Monte Carlo dropout in linen."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class DropoutNet(nn.Module):
    rate: float = 0.3

    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.Dense(64)(x))
        x = nn.Dropout(self.rate, deterministic=not train)(x)
        return nn.Dense(1)(x)[..., 0]


class Predictor:
    def __init__(self, model, variables, passes=20):
        self.model = model
        self.variables = variables
        self.passes = passes
        self._forward = jax.jit(self._make_forward())

    def _make_forward(self):
        def forward(variables, x, key):
            return self.model.apply(variables, x, train=True, rngs={"dropout": key})

        return forward

    def predict(self, key, x):
        """Mean and spread of the stochastic forward passes."""
        outputs = []
        for _ in range(self.passes):
            key, pass_key = jax.random.split(key)
            outputs.append(self._forward(self.variables, x, pass_key))
        outputs = jnp.stack(outputs)
        return outputs.mean(axis=0), outputs.std(axis=0)


def main():
    init_key, x_key, predict_key = jax.random.split(jax.random.key(0), 3)
    model = DropoutNet()
    x = jax.random.normal(x_key, (8, 4))
    variables = model.init(init_key, x, train=False)
    mean, spread = Predictor(model, variables).predict(predict_key, x)
    print("mean:", mean)
    print("spread:", spread)
    assert jnp.all(spread > 1e-2)


if __name__ == "__main__":
    main()
