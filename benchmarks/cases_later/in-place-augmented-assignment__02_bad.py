"""after general knowledge; slug: in-place-augmented-assignment"""
import jax
import jax.numpy as jnp


class Counter:
    def __init__(self, bins):
        self.counts = jnp.zeros(bins, jnp.int32)

    def observe(self, values):
        for v in values:
            self.counts[v] += 1  # expect: in-place-augmented-assignment
        return self.counts


def run():
    return Counter(4).observe([1, 2, 2])


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
