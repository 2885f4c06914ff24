"""after general knowledge; slug: use-after-donate"""
import jax
import jax.numpy as jnp


def ema_step(average, params, decay=0.9):
    return jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, average, params)


ema = jax.jit(ema_step, donate_argnums=0)


class Averager:
    def __init__(self, params):
        self.average = params

    def update(self, params):
        fresh = ema(self.average, params)
        shift = jnp.abs(self.average["w"] - fresh["w"]).max()  # expect: use-after-donate
        self.average = fresh
        return shift


def run():
    return Averager({"w": jnp.ones(2)}).update({"w": jnp.zeros(2)})


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'RuntimeError', repr(err)
    else:
        raise AssertionError('expected RuntimeError')
