"""after general knowledge; slug: tracer-formatting"""
import logging

import jax
import jax.numpy as jnp

log = logging.getLogger(__name__)


class Monitor:
    def __init__(self):
        self.name = "train"

    def line(self, step, loss):
        return "%s step %s: loss %s" % (self.name, step, loss)  # expect: tracer-formatting


monitor = Monitor()


@jax.jit
def train_step(w, step, x):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean((w * x - 1.0) ** 2))(w)
    message = monitor.line(step, loss)
    log.info(message)
    return w - 0.1 * grad, loss


def train(x):
    w = jnp.float32(0.5)
    for step in range(3):
        w, loss = train_step(w, step, x)
    return w, loss


def demonstrate():
    seen = []
    log.setLevel(logging.INFO)
    log.addHandler(type("H", (logging.Handler,), {"emit": lambda self, r: seen.append(r.getMessage())})())
    train(jnp.ones(2))
    assert len(seen) == 1 and "JitTracer" in seen[0], seen
