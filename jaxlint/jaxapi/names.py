"""Names of JAX that the analysis itself makes values of."""

from __future__ import annotations

from typing import Final

#: The dtype of a typed key.
KEY_DTYPE: Final = "jax.dtypes.prng_key"
