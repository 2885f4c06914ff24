"""after general knowledge; slug: leaked-tracer"""
import jax
import jax.numpy as jnp


class Recorder:
    def __init__(self):
        self.activations = {}

    def tap(self, name, value):
        self.activations[name] = value  # expect: leaked-tracer
        return value


def mlp(params, x, tap):
    for i, (w, b) in enumerate(params):
        x = tap(f"layer{i}", jnp.tanh(x @ w + b))
    return x


def largest_activation(params, x):
    recorder = Recorder()
    jax.jit(lambda p, v: mlp(p, v, recorder.tap))(params, x)
    return max(jnp.max(a) for a in recorder.activations.values())


def demonstrate():
    try:
        largest_activation([(jnp.ones((2, 2)), jnp.zeros(2))], jnp.ones((1, 2)))
    except Exception as err:
        assert type(err).__name__ == 'UnexpectedTracerError', repr(err)
    else:
        raise AssertionError('expected UnexpectedTracerError')
