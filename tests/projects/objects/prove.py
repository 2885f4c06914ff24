"""Run each compiled function on JAX."""

import jax
import jax.numpy as jnp
import main
import pytest
from lib import Point, config, taps


def prove():
    one = jnp.float32(1.0)
    origin, p = Point(one, one, "origin"), Point(one, one)
    main.distance(origin, p)
    for wrong in (lambda: main.distance(p, origin), lambda: main.boxed(one)):
        with pytest.raises(jax.errors.TracerBoolConversionError):
            wrong()
    main.configured(jnp.ones(3))
    with pytest.raises(ValueError, match="hashable"):
        main.as_configured(one)
    main.plain(one)
    main.remembered(one), main.remembered(one)
    assert config.SEEN == ["x"]
    with pytest.raises(jax.errors.UnexpectedTracerError):
        taps.LAST["x"] + 1
