"""after temperature attribute annealed after the closure was compiled; slug: mutable-global-read"""
import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, logits):
        self.logits = logits
        self.temperature = 1.0
        self.probs = jax.jit(self._probs)

    def _probs(self, bias):
        return jax.nn.softmax((self.logits + bias) / self.temperature)  # expect: mutable-global-read

    def anneal(self, factor):
        self.temperature *= factor


def schedule(sampler, rounds):
    out = []
    for _ in range(rounds):
        out.append(sampler.probs(0.0))
        sampler.anneal(0.5)
    return out


def demonstrate():
    out = schedule(Sampler(jnp.array([1.0, 2.0])), 3)
    assert jnp.allclose(out[0], out[2])
