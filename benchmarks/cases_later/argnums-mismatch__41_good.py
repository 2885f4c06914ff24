"""sensitivity to a parameter that is passed by name; slug: none"""
import jax
import jax.numpy as jnp


def price(spot, strike, *, vol, maturity):
    d = (jnp.log(spot / strike) + 0.5 * vol**2 * maturity) / (vol * jnp.sqrt(maturity))
    return spot * jax.scipy.stats.norm.cdf(d) - strike * jax.scipy.stats.norm.cdf(d - vol * jnp.sqrt(maturity))


def vega(spot, strike, vol, maturity):
    return jax.grad(lambda v: price(spot, strike, vol=v, maturity=maturity))(vol)


def main():
    return jax.vmap(vega, in_axes=(0, None, None, None))(jnp.linspace(80.0, 120.0, 5), 100.0, 0.2, 1.0)


def demonstrate():
    main()
