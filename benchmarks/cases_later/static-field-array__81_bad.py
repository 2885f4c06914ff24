"""Piecewise linear curves as pytrees: heights are data, the knots describe the curve."""
import functools
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@functools.partial(
    jax.tree_util.register_dataclass,
    data_fields=["heights"],
    meta_fields=["knots", "name"],
)
@dataclass
class Curve:
    heights: jax.Array
    knots: jax.Array
    name: str


@jax.jit
def area(curve):
    widths = jnp.diff(curve.knots)
    return jnp.sum(widths * 0.5 * (curve.heights[1:] + curve.heights[:-1]))


@jax.jit
def evaluate(curve, x):
    return jnp.interp(x, curve.knots, curve.heights)


def sampled(f, low, high, count, name):
    knots = jnp.linspace(low, high, count)
    return Curve(heights=f(knots), knots=knots, name=name)  # expect: static-field-array


def areas(intervals):
    return jnp.stack([area(sampled(jnp.sin, low, high, 9, "sine")) for low, high in intervals])


def main():
    result = areas([(0.0, 1.0), (0.0, 2.0), (0.0, 3.0)])
    print("areas", result)
    curve = sampled(jnp.cos, 0.0, 1.5, 9, "cosine")
    assert jnp.allclose(evaluate(curve, jnp.float32(0.0)), 1.0)
    assert jnp.all(jnp.diff(result) > 0)


if __name__ == "__main__":
    main()
