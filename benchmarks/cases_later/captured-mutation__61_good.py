"""Fit an exponential decay with Gauss-Newton steps, keeping a tally of the work done."""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@dataclass
class Report:
    tally: dict = field(default_factory=lambda: {"steps": 0})


def model(params, times):
    amplitude, rate = params
    return amplitude * jnp.exp(-rate * times)


def make_solver(times, observed, damping=1e-3):
    report = Report()
    tally = report.tally

    def residuals(params):
        gap = model(params, times) - observed
        return gap, gap

    def gauss_newton(params):
        jac, gap = jax.jacobian(residuals, has_aux=True)(params)
        normal = jac.T @ jac + damping * jnp.eye(2)
        return params - jnp.linalg.solve(normal, jac.T @ gap), jnp.sum(gap**2)

    @jax.jit
    def improve(params):
        candidate, before = gauss_newton(params)
        after = jnp.sum(residuals(candidate)[0] ** 2)
        return jnp.where(after < before, candidate, params), jnp.minimum(before, after)

    def counted(params):
        tally["steps"] += 1
        return improve(params)

    return counted, report


def fit(seed=0, iterations=12):
    times = jnp.linspace(0.0, 4.0, 40)
    noise = 0.02 * jax.random.normal(jax.random.key(seed), times.shape)
    observed = model(jnp.array([2.0, 0.7]), times) + noise
    improve, report = make_solver(times, observed)
    params, cost = jnp.array([1.5, 0.5]), None
    for _ in range(iterations):
        params, cost = improve(params)
    return params, cost, report


def main():
    params, cost, report = fit()
    print("params", params, "cost", cost, "after", report.tally["steps"], "steps")


if __name__ == "__main__":
    main()


def demonstrate():
    params, _, report = fit(iterations=6)
    assert abs(params[1] - 0.7) < 0.1
    assert report.tally["steps"] == 6
