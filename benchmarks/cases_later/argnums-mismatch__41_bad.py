"""sensitivity to a parameter that is passed by name; slug: argnums-mismatch"""
import jax
import jax.numpy as jnp


def price(spot, strike, *, vol, maturity):
    d = (jnp.log(spot / strike) + 0.5 * vol**2 * maturity) / (vol * jnp.sqrt(maturity))
    return spot * jax.scipy.stats.norm.cdf(d) - strike * jax.scipy.stats.norm.cdf(d - vol * jnp.sqrt(maturity))


def vega(spot, strike, vol, maturity):
    return jax.grad(price, argnums=2)(spot, strike, vol=vol, maturity=maturity)  # expect: argnums-mismatch


def main():
    return jax.vmap(vega, in_axes=(0, None, None, None))(jnp.linspace(80.0, 120.0, 5), 100.0, 0.2, 1.0)


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
