"""after random restarts of an optimiser; slug: key-reuse-in-loop"""
import jax
import jax.numpy as jnp


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x ** 2) ** 2


def descend(start, steps=20, lr=1e-4):
    def body(_, p):
        return p - lr * jax.grad(rosenbrock)(p)

    return jax.lax.fori_loop(0, steps, body, start)


class Restarts:
    def __init__(self, key, count):
        self.key = key
        self.count = count

    def run(self):
        best, best_value = None, jnp.inf
        tried = []
        for i in range(self.count):
            start = jax.random.uniform(self.key, (2,), minval=-2.0, maxval=2.0)  # expect: key-reuse-in-loop
            tried.append(start)
            end = descend(start)
            value = rosenbrock(end)
            if value < best_value:
                best, best_value = end, value
        return best, tried


def demonstrate():
    _, tried = Restarts(jax.random.key(0), 3).run()
    assert jnp.array_equal(tried[0], tried[2])
