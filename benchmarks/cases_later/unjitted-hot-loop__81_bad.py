"""Logistic regression by gradient descent, as in a notebook."""
import dataclasses
import sys

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Posterior:
    x: jax.Array
    labels: jax.Array
    prior_scale: float = 1.0

    def negative_log_joint(self, w):
        signs = 2.0 * self.labels - 1.0
        log_likelihood = jnp.sum(jax.nn.log_sigmoid(signs * (self.x @ w)))
        return 0.5 * jnp.sum((w / self.prior_scale) ** 2) - log_likelihood


def maximise(posterior, steps, rate=0.02):
    w = jnp.zeros(posterior.x.shape[1])
    value_and_grad = jax.value_and_grad(posterior.negative_log_joint)
    for _ in range(steps):
        value, gradient = value_and_grad(w)  # expect: unjitted-hot-loop
        w = w - rate * gradient
    return w, value


def count_runs(code, function, *arguments):
    """The result of the function, and how often Python ran the code meanwhile."""
    runs = []

    def watch(frame, event, _):
        if event == "call" and frame.f_code is code:
            runs.append(1)

    sys.setprofile(watch)
    try:
        return function(*arguments), len(runs)
    finally:
        sys.setprofile(None)


def main():
    data_key, label_key = jax.random.split(jax.random.key(1))
    x = jax.random.normal(data_key, (60, 3))
    chance = jax.nn.sigmoid(x @ jnp.array([2.0, -1.0, 0.0]))
    posterior = Posterior(x, jax.random.bernoulli(label_key, chance).astype(jnp.float32))
    code = Posterior.negative_log_joint.__code__
    (w, value), runs = count_runs(code, maximise, posterior, 30)
    print("weights", w, "value", value, "runs", runs)
    assert runs == 30


if __name__ == "__main__":
    main()
