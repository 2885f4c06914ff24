"""missing sensor readings kept in a dict; slug: nan-comparison"""
import jax.numpy as jnp

STATIONS = {
    "temperature": [21.5, float("nan"), 20.9, 21.1],
    "pressure": [1013.2, 1012.8, float("nan"), 1012.1],
}


def load():
    return {name: jnp.array(values) for name, values in STATIONS.items()}


def impute(readings):
    filled = {}
    for name, values in readings.items():
        mean = jnp.nanmean(values)
        missing = jnp.isnan(values)
        filled[name] = jnp.where(missing, mean, values)
    return filled


def main():
    return impute(load())


def demonstrate():
    assert not jnp.isnan(main()["pressure"]).any()
