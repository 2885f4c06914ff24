"""Settings: where they stand, how they are checked and merged, and what holds for a file, a project and a run."""

from __future__ import annotations

from jaxlint.config.errors import ConfigError, refuse, suggestion
from jaxlint.config.load import Configuration, load_configuration
from jaxlint.config.settings import (
    AnalysisSettings,
    LikeRow,
    PathSelectors,
    Patterns,
    RuleSeverity,
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
    "PathSelectors",
    "Patterns",
    "RuleSeverity",
    "RunSettings",
    "SelectionLayer",
    "ShownSettings",
    "SpecRow",
    "load_configuration",
    "refuse",
    "suggestion",
]
