from .config import CONFIG, Config
from .nodes import Box, Point

__all__ = ["CONFIG", "Box", "Config", "Point"]
