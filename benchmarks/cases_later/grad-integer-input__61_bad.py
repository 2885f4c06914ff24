"""Option prices and their sensitivities under the Black-Scholes model."""

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.scipy.stats import norm


@dataclass(frozen=True)
class Market:
    rate: float = 0.02
    volatility: float = 0.25


class Hedge(NamedTuple):
    contracts: int
    shares: jax.Array


def call_price(spot, strike, expiry, market: Market):
    spread = market.volatility * jnp.sqrt(expiry)
    drift = (market.rate + 0.5 * market.volatility**2) * expiry
    d1 = (jnp.log(spot / strike) + drift) / spread
    discount = jnp.exp(-market.rate * expiry)
    return spot * norm.cdf(d1) - strike * discount * norm.cdf(d1 - spread)


class Pricer:
    def __init__(self, market: Market):
        self.market = market
        self.sensitivity = jax.grad(self.price)

    def price(self, spot, strike, expiry):
        return call_price(spot, strike, expiry, self.market)

    def delta(self, spot, strike, expiry):
        return self.sensitivity(spot, strike, expiry)


def at_the_money(pricer, contracts, expiry):
    delta = pricer.delta(100, 100.0, expiry)  # expect: grad-integer-input
    return Hedge(contracts, 100 * contracts * delta)


def main():
    hedge = at_the_money(Pricer(Market()), contracts=3, expiry=0.5)
    print("short", hedge.contracts, "calls, hold", hedge.shares, "shares")
    return hedge


if __name__ == "__main__":
    main()


def demonstrate():
    try:
        main()
    except TypeError as err:
        assert "int32" in str(err)
    else:
        raise AssertionError("no error")
