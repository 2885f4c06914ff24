"""Rolling-origin backtest of an autoregressive forecaster."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Score(NamedTuple):
    cutoff: int
    rmse: jax.Array


def lagged(series, order):
    columns = [jnp.roll(series, lag + 1) for lag in range(order)]
    return jnp.stack(columns, axis=1)


def fit_ridge(design, target, penalty=1e-2):
    gram = design.T @ design + penalty * jnp.eye(design.shape[1])
    return jnp.linalg.solve(gram, design.T @ target)


@jax.jit
def training_error(history, length):
    ticks = jnp.arange(history.shape[0])
    valid = (ticks >= 3) & (ticks < length)
    design = lagged(history, 3) * valid[:, None]
    target = history * valid
    residual = target - design @ fit_ridge(design, target)
    return jnp.sqrt(jnp.sum(residual**2) / valid.sum())


class Backtest:
    def __init__(self, series, first_cutoff: int, stride: int):
        self.series = series
        self.first_cutoff = first_cutoff
        self.stride = stride

    def run(self) -> list[Score]:
        scores = []
        for cutoff in range(self.first_cutoff, self.series.shape[0] + 1, self.stride):
            rmse = training_error(self.series, cutoff)
            scores.append(Score(cutoff, rmse))
        return scores


def simulate_series(key, length=120):
    shocks = 0.3 * jax.random.normal(key, (length,))

    def step(previous, shock):
        value = 0.8 * previous + shock
        return value, value

    return jax.lax.scan(step, jnp.zeros(()), shocks)[1]


def main():
    scores = Backtest(simulate_series(jax.random.key(14)), 40, 10).run()
    print("last window", scores[-1])


if __name__ == "__main__":
    main()


def demonstrate():
    training_error.clear_cache()
    scores = Backtest(simulate_series(jax.random.key(14), 60), 20, 10).run()
    assert len(scores) == 5 and all(jnp.isfinite(score.rmse) for score in scores)
    assert training_error._cache_size() == 1
