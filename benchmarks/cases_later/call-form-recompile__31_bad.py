"""after evaluation by keyword after training by position; slug: call-form-recompile"""

import jax
import jax.numpy as jnp

traces = []


@jax.jit
def predict(params, inputs, temperature):
    traces.append(1)
    return jax.nn.softmax(inputs @ params["w"] / temperature)


class Runner:
    def __init__(self, width):
        self.params = {"w": jnp.ones((width, 2))}

    def train(self, x):
        return predict(self.params, x, 1.0)

    def evaluate(self, x):
        return predict(self.params, x, temperature=1.0)  # expect: call-form-recompile


def main():
    runner = Runner(3)
    x = jnp.ones((4, 3))
    a = runner.train(x)
    b = runner.evaluate(x)
    return a + b


def demonstrate():
    main()
    assert len(traces) == 2
