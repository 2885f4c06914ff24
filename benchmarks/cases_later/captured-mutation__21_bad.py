"""after a defaultdict of losses filled in a jitted closure; slug: captured-mutation"""
from collections import defaultdict

import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, lr):
        self.lr = lr

    def fit(self, w, xs):
        log = defaultdict(list)

        @jax.jit
        def step(w, x):
            loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w) ** 2))(w)
            log["loss"].append(loss)  # expect: captured-mutation
            return w - self.lr * grad

        for x in xs:
            w = step(w, x)
        return w, log


def demonstrate():
    _, log = Trainer(0.1).fit(jnp.ones(2), [jnp.ones((3, 2))] * 4)
    assert len(log["loss"]) == 1
