"""Which files are looked at: those that mention JAX, or a library of the table that is built on it."""

from __future__ import annotations

import pytest

from jaxlint.engine.load import LoadTask, load
from jaxlint.jaxapi.libraries import libraries

OF_JAX = sorted(row.name for row in libraries().values() if row.kind in ("core", "of-jax"))


def is_read(text: str) -> bool:
    return load(LoadTask("place.py", "place", False, text.encode())).source is not None


@pytest.mark.parametrize("library", OF_JAX)
def test_a_file_that_imports_a_library_of_jax_is_read(library: str) -> None:
    assert is_read(f"import {library}\n")


@pytest.mark.parametrize(
    "text", ["import jax.numpy as jnp", "from mine import jnp", "from mine import nnx", "my_jax = 1"]
)
def test_other_words_for_jax_count(text: str) -> None:
    assert is_read(text)


@pytest.mark.parametrize("text", ["import numpy", "import torch", "relax = 1", "include = 1"])
def test_other_files_are_skipped(text: str) -> None:
    assert not is_read(text)
