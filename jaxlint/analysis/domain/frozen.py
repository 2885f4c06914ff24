"""Mappings that cannot be changed, and so have a hash."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.values import DictCell


@dataclass(slots=True, eq=False)
class FrozenCell(DictCell):
    """A dict as `flax.core.freeze` makes it."""
