"""clean: host loop with its own counters and a compiled step, settings constant"""
import time

import jax
import jax.numpy as jnp

SETTINGS = {"lr": 0.1, "steps": 20}


class Progress:
    def __init__(self):
        self.count = 0
        self.seen = []

    def tick(self, value):
        self.count += 1
        self.seen.append(value)


@jax.jit
def step(w):
    loss, grad = jax.value_and_grad(lambda w: jnp.sum(w ** 2))(w)
    return w - SETTINGS["lr"] * grad, loss


def run():
    progress, w = Progress(), jnp.ones(3)
    for i in range(SETTINGS["steps"]):
        w, loss = step(w)
        progress.tick(loss)
    start = time.perf_counter()
    jax.block_until_ready(step(w))
    return time.perf_counter() - start, progress


def demonstrate():
    assert run()[1].count == 20
