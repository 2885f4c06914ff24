"""Sequential Monte Carlo for state-space models."""
from .config import FilterConfig
from .models import MODELS, StateSpaceModel, build

__all__ = ["MODELS", "FilterConfig", "StateSpaceModel", "build"]
