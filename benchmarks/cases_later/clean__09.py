"""after general knowledge; clean: state kept in lists and dictionaries that are made inside the traced function"""
import jax
import jax.numpy as jnp


def record(store, name, value):
    store.setdefault(name, []).append(value)
    return value


@jax.jit
def forward(params, x):
    taps = {}
    for i, w in enumerate(params):
        x = record(taps, f"layer{i % 2}", jnp.tanh(x @ w))
    counter = 0
    for values in taps.values():
        counter += len(values)
    sums = [v.sum() for values in taps.values() for v in values]
    sums.append(jnp.float32(counter))
    return x, jnp.stack(sums)


class Cache:
    def __init__(self):
        self.hits = 0
        self.last = None

    def run(self, params, x):
        self.last, sums = forward(params, x)
        self.hits += 1
        return sums


def demonstrate():
    Cache().run([jnp.eye(2), jnp.eye(2)], jnp.ones((1, 2)))
