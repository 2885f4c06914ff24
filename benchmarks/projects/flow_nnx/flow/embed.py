"""Features of the time, by name."""
from typing import Callable, Protocol

import jax
import jax.numpy as jnp
import numpy as np


class Embedding(Protocol):
    width: int

    def __call__(self, t: jax.Array) -> jax.Array: ...


class Fourier:
    def __init__(self, width: int):
        self.width = width
        self.frequencies = np.exp(np.linspace(0.0, 4.0, width // 2))

    def __call__(self, t):
        angles = t * self.frequencies
        return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)])


class Table:
    """Rows of a fixed table."""

    def __init__(self, width: int, rows: int = 32):
        self.width, self.rows = width, rows
        self.table = np.sin(np.outer(np.arange(rows), np.arange(1, width + 1)))

    def __call__(self, t):
        row = jnp.clip(t * self.rows, 0, self.rows - 1).astype(int)
        return self.table[row]  # expect: numpy-on-tracer


class DeviceTable(Table):
    def __init__(self, width: int, rows: int = 32):
        super().__init__(width, rows)
        self.table = jnp.asarray(self.table)


EMBEDDINGS: dict[str, Callable[[int], Embedding]] = {"fourier": Fourier, "table": Table, "device": DeviceTable}
