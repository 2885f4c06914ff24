"""Run each compiled function on JAX."""

import contextlib

import jax.numpy as jnp
import main
import pytest
from shapes.grids import Element


def prove():
    main.total(jnp.ones(2)), main.assembled(jnp.ones(2))
    for wrong in (lambda: main.by_object(jnp.ones(2)), lambda: Element(1).tagged(jnp.ones(2))):
        with pytest.raises(TypeError):
            wrong()
    with contextlib.suppress(AttributeError):  # of releases before 0.9.1
        import early

        assert early.field.metadata["static"]
