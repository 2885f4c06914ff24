"""after general knowledge; slug: use-after-donate; corrected twin"""
import jax
import jax.numpy as jnp


def ema_step(average, params, decay=0.9):
    return jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, average, params)


ema = jax.jit(ema_step)


class Averager:
    def __init__(self, params):
        self.average = params

    def update(self, params):
        fresh = ema(self.average, params)
        shift = jnp.abs(self.average["w"] - fresh["w"]).max()
        self.average = fresh
        return shift


def run():
    return Averager({"w": jnp.ones(2)}).update({"w": jnp.zeros(2)})


def demonstrate():
    run()
