"""Two-body ephemeris: solve Kepler's equation for many satellites at once."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Elements(NamedTuple):
    semi_major: jax.Array
    eccentricity: jax.Array
    mean_anomaly: jax.Array


def kepler_residual(anomaly, elements):
    return anomaly - elements.eccentricity * jnp.sin(anomaly) - elements.mean_anomaly


def newton_update(anomaly, elements):
    slope = 1.0 - elements.eccentricity * jnp.cos(anomaly)
    return anomaly - kepler_residual(anomaly, elements) / slope


def eccentric_anomaly(elements, tol=1e-5):
    anomaly = elements.mean_anomaly + elements.eccentricity
    while jnp.abs(kepler_residual(anomaly, elements)) > tol:  # expect: traced-while
        anomaly = newton_update(anomaly, elements)
    return anomaly


def position(elements: Elements):
    anomaly = eccentric_anomaly(elements)
    minor = jnp.sqrt(1.0 - elements.eccentricity**2)
    x = elements.semi_major * (jnp.cos(anomaly) - elements.eccentricity)
    y = elements.semi_major * minor * jnp.sin(anomaly)
    return jnp.stack([x, y])


constellation = jax.jit(jax.vmap(position))


def main():
    fleet = Elements(
        semi_major=jnp.linspace(1.0, 2.0, 8),
        eccentricity=jnp.full(8, 0.3),
        mean_anomaly=jnp.linspace(0.0, 3.0, 8),
    )
    print(constellation(fleet))


if __name__ == "__main__":
    main()


def demonstrate():
    fleet = Elements(jnp.array([1.0, 2.0]), jnp.array([0.1, 0.4]), jnp.array([0.5, 1.5]))
    try:
        constellation(fleet)
    except jax.errors.TracerBoolConversionError:
        pass
    else:
        raise AssertionError("no error")
