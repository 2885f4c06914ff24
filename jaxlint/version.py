"""The version of jaxlint: the one in pyproject.toml, readable without package metadata."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
