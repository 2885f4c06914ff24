"""after general knowledge; slug: tracer-formatting; corrected twin"""
import logging

import jax
import jax.numpy as jnp

log = logging.getLogger(__name__)


class Monitor:
    def __init__(self):
        self.name = "train"

    def line(self, step, loss):
        return "%s step %s: loss %s" % (self.name, step, loss)


monitor = Monitor()


@jax.jit
def train_step(w, step, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean((w * x - 1.0) ** 2))(w)
    return w - 0.1 * grad, loss


def train(x):
    w = jnp.float32(0.5)
    for step in range(3):
        w, loss = train_step(w, step, x)
    log.info(monitor.line(step, loss))
    return w, loss


def demonstrate():
    train(jnp.ones(2))
