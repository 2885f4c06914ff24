"""Exponentially weighted portfolio risk model."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class RiskModel:
    def __init__(self, covariance, halflife: float = 20.0):
        self.covariance = covariance
        self.halflife = halflife

    def tree_flatten(self):
        return (self.covariance,), (self.halflife,)

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(children[0], *aux)

    @classmethod
    def fit(cls, returns, halflife=20.0):
        age = jnp.arange(returns.shape[0])[::-1]
        weights = 0.5 ** (age / halflife)
        weights = weights / weights.sum()
        centred = returns - weights @ returns
        return cls((weights[:, None] * centred).T @ centred, halflife)

    def variance(self, weights):
        return weights @ self.covariance @ weights

    @jax.jit
    def contributions(self, weights):
        total = self.variance(weights)
        return weights * (self.covariance @ weights) / total


def synthetic_returns(key, days=250, assets=4):
    factor_key, noise_key = jax.random.split(key)
    factor = 0.01 * jax.random.normal(factor_key, (days, 1))
    return factor + 0.005 * jax.random.normal(noise_key, (days, assets))


def report(model, weights):
    shares = model.contributions(weights)
    return {"volatility": jnp.sqrt(250.0 * model.variance(weights)), "shares": shares}


def main():
    model = RiskModel.fit(synthetic_returns(jax.random.key(18)))
    print(report(model, jnp.full(4, 0.25)))


if __name__ == "__main__":
    main()


def demonstrate():
    model = RiskModel.fit(synthetic_returns(jax.random.key(18), days=50))
    shares = report(model, jnp.full(4, 0.25))["shares"]
    assert jnp.isclose(shares.sum(), 1.0, atol=1e-4)
