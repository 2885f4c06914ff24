"""Pytree registration, away from the classes."""

import jax

from .nodes import Point

jax.tree_util.register_dataclass(Point, data_fields=["x", "y"], meta_fields=["label"])
