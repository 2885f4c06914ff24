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
        rates = warmup(self.peak, self.warmup_steps)

        def step(w, batch):
            x, y = batch
            rate = next(rates)  # expect: iterator-in-traced-code
            return w - rate * jax.grad(loss_fn)(w, x, y), jnp.asarray(rate)

        return jax.lax.scan(step, jnp.zeros(width), batches)


def main():
    truth = jnp.array([1.0, -2.0, 0.5])
    x = jax.random.normal(jax.random.key(3), (40, 16, 3))
    w, used = Regression().fit((x, x @ truth), width=3)
    print("weights", w, "rates", used[0], used[-1])
    assert jnp.all(used == used[0])


if __name__ == "__main__":
    main()
