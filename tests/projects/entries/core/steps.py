import jax.numpy as jnp


def plain_step(x, n):
    for _ in range(n):  # expect: traced-iteration-count
        x = x + 1
    return x


def counted_step(x, n):
    for _ in range(n):
        x = x + 1
    return x


def stepper(rate):
    """A factory: the function it makes is traced by its caller."""

    def step(x):
        if rate > 1:
            x = x / rate
        if x.sum() > 0:  # expect: traced-branch
            x = -x
        return x * rate

    return step


class Model:
    def __init__(self, width, residual=True):
        self.width = width
        self.residual = residual

    def apply(self, x):
        y = jnp.tanh(x) * self.width
        if self.residual:
            y = y + x
        return float(y)  # expect: concretization

    def __call__(self, x):
        return self.scaled(x)

    def scaled(self, x):
        if self.width > 3:
            return x
        while x > self.width:  # expect: traced-while
            x = x - 1
        return x
