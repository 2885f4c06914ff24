"""after general knowledge; slug: leaked-tracer; corrected twin"""
import jax
import jax.numpy as jnp


class Recorder:
    def __init__(self):
        self.activations = {}

    def tap(self, name, value):
        self.activations[name] = value
        return value


def mlp(params, x, tap):
    for i, (w, b) in enumerate(params):
        x = tap(f"layer{i}", jnp.tanh(x @ w + b))
    return x


def largest_activation(params, x):
    recorder = Recorder()
    mlp(params, x, recorder.tap)
    return max(jnp.max(a) for a in recorder.activations.values())


def demonstrate():
    largest_activation([(jnp.ones((2, 2)), jnp.zeros(2))], jnp.ones((1, 2)))
