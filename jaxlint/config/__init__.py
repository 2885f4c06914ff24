"""Settings: where they stand, how they are checked and merged, and what holds for a file, a project and a run."""

from __future__ import annotations

from jaxlint.config.errors import ConfigError, suggestion
from jaxlint.config.load import Configuration, load_configuration
from jaxlint.config.settings import (
    AnalysisSettings,
    LikeRow,
    PathIgnores,
    Patterns,
    RunSettings,
    SelectionLayer,
    ShownSettings,
    SpecRow,
)

__all__ = [
    "AnalysisSettings",
    "ConfigError",
    "Configuration",
    "LikeRow",
    "PathIgnores",
    "Patterns",
    "RunSettings",
    "SelectionLayer",
    "ShownSettings",
    "SpecRow",
    "load_configuration",
    "suggestion",
]
