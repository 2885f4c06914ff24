"""Inference with an nnx model whose temperature operators set in the environment."""
import os

import jax
from flax import nnx

VARIABLE = "SERVICE_TEMPERATURE"


class Scorer(nnx.Module):
    def __init__(self, inputs, classes, *, rngs):
        self.hidden = nnx.Linear(inputs, 16, rngs=rngs)
        self.output = nnx.Linear(16, classes, rngs=rngs)

    def __call__(self, x):
        return self.output(nnx.relu(self.hidden(x)))


def temperature():
    return float(os.environ.get(VARIABLE, "1.0"))


@nnx.jit
def probabilities(model, x, temperature):
    return jax.nn.softmax(model(x) / temperature)


class Service:
    def __init__(self, model):
        self.model = model

    def predict(self, x):
        return probabilities(self.model, x, temperature())


def main():
    service = Service(Scorer(4, 3, rngs=nnx.Rngs(0)))
    x = jax.random.normal(jax.random.key(1), (2, 4))
    sharp = service.predict(x)
    os.environ[VARIABLE] = "50.0"
    flat = service.predict(x)
    print("largest", sharp.max(), flat.max())
    assert flat.max() < sharp.max()


if __name__ == "__main__":
    main()
