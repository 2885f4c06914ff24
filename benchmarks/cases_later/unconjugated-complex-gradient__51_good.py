"""a class that fits a complex filter by descent; slug: unconjugated-complex-gradient"""
import jax
import jax.numpy as jnp


class FilterFit:
    def __init__(self, taps):
        self.taps = jnp.full(taps, 0.5 + 0.5j)

    def error(self, taps, signal, target):
        return jnp.sum(jnp.abs(taps * signal - target) ** 2)

    def fit(self, signal, target, steps=20, rate=0.05):
        for _ in range(steps):
            grads = jax.grad(self.error)(self.taps, signal, target)
            self.taps = self.taps - rate * jnp.conj(grads)
        return self.error(self.taps, signal, target)


def main():
    signal, target = jnp.array([1.0 + 1.0j, 2.0 - 1.0j, 0.5j]), jnp.array([1.0j, 1.0, -1.0j])
    fit = FilterFit(3)
    before = fit.error(fit.taps, signal, target)
    return float(before), float(fit.fit(signal, target))


def demonstrate():
    assert main()[1] < main()[0]
