"""clean: keys advanced in a dict of streams, tuple targets and walrus"""
import jax
import jax.numpy as jnp


class Streams:
    def __init__(self, seed, names):
        root = jax.random.key(seed)
        self.keys = {name: jax.random.fold_in(root, i) for i, name in enumerate(names)}

    def take(self, name):
        self.keys[name], sub = jax.random.split(self.keys[name])
        return sub


def simulate(steps):
    streams = Streams(0, ["process", "sensor"])
    state, log = jnp.zeros(2), []
    for _ in range(steps):
        state = 0.9 * state + jax.random.normal(streams.take("process"), (2,))
        log.append(state + jax.random.normal(streams.take("sensor"), (2,)))
    return jnp.stack(log)


def demonstrate():
    out = simulate(4)
    assert len({float(v) for v in out[:, 0]}) == 4
