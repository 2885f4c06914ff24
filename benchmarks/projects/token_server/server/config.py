import dataclasses

import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    vocab: int = 16
    width: int = 8
    layers: int = 2
    causal: bool = True
    dtype: str = "float32"

    @property
    def jnp_dtype(self):
        return jnp.dtype(self.dtype)


class ServingOptions:
    """Changed by the operator while the server runs."""

    temperature = 1.0
    top_k = 0
