from .config import RunConfig
from .run import anneal, main, sample
