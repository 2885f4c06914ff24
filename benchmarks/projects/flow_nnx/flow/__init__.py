"""Flow matching with nnx: paths, a small network, solvers."""
from .config import Config

__all__ = ["Config"]
