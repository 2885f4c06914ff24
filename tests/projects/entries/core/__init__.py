"""Functions that other modules trace."""

from .losses import *
from .steps import plain_step as step
from . import registry

__all__ = ["step", "hinge", "absolute", "registry"]
