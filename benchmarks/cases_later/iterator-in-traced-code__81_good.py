"""Linear regression with a warm-up schedule written as a generator."""
import itertools

import jax
import jax.numpy as jnp


def warmup(peak, steps):
    """Learning rates: a linear ramp, then constant."""
    for step in range(steps):
        yield peak * (step + 1) / steps
    yield from itertools.repeat(peak)


def loss_fn(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


class Regression:
    def __init__(self, peak=0.1, warmup_steps=10):
        self.peak = peak
        self.warmup_steps = warmup_steps

    def fit(self, batches, width):
        steps = batches[0].shape[0]
        rates = jnp.asarray(list(itertools.islice(warmup(self.peak, self.warmup_steps), steps)))

        def step(w, batch_and_rate):
            (x, y), rate = batch_and_rate
            return w - rate * jax.grad(loss_fn)(w, x, y), rate

        return jax.lax.scan(step, jnp.zeros(width), (batches, rates))


def main():
    truth = jnp.array([1.0, -2.0, 0.5])
    x = jax.random.normal(jax.random.key(3), (40, 16, 3))
    w, used = Regression().fit((x, x @ truth), width=3)
    print("weights", w, "rates", used[0], used[-1])
    assert used[0] < used[-1]


if __name__ == "__main__":
    main()
