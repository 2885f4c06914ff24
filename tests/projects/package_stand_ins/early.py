"""A script that runs without the package."""

import jax

field = jax.tree.static(default="even")  # expect: unavailable-api
