"""Run each compiled function on JAX."""

import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "src"), str(HERE / "scripts")]

import shop.jax  # noqa: E402
import shop.main  # noqa: E402
import train  # noqa: E402


def prove():
    one, three = jnp.float32(1.0), jnp.arange(3.0)
    for wrong in (
        lambda: shop.jax.hardened(one),
        lambda: shop.main.prefix(three, 2),
        lambda: shop.main.evened(one),
        lambda: shop.main.blank(3),
        lambda: train.signed(one),
    ):
        with pytest.raises((TypeError, IndexError)):
            wrong()
    shop.main.summed(three), shop.main.formed(three), shop.main.fixed(3), shop.main.eager(one)
    shop.main.drawn(jax.random.key(0))
