"""Run each call on JAX: those that are marked raise, the others do not."""

import fakes
import jax.numpy as jnp
import pytest


def prove():
    with pytest.MonkeyPatch.context() as patch:
        assert jnp.array_equal(fakes.clean_with_another_function(patch), jnp.full(2, 2.0))
    assert jnp.array_equal(fakes.clean_patched(), jnp.full(3, 2.0))
    assert jnp.array_equal(fakes.clean_patched_for_a_while(), jnp.ones(4))
    with pytest.MonkeyPatch.context() as patch, pytest.raises(TypeError):
        fakes.with_another_one(patch)
    with pytest.raises(TypeError):
        fakes.as_it_is()
