"""after the compiled step pulls its own batch; slug: iterator-in-traced-code"""
import jax
import jax.numpy as jnp


def stream(n):
    for i in range(n):
        yield jnp.full((2,), float(i))


def train(steps):
    batches = stream(steps)

    @jax.jit
    def step(w):
        batch = next(batches)  # expect: iterator-in-traced-code
        return w + batch

    w = jnp.zeros(2)
    for _ in range(steps):
        w = step(w)
    return w


def demonstrate():
    w = train(4)
    assert float(w[0]) == 0.0
