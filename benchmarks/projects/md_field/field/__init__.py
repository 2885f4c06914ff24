from .cli import main
from .config import ModelConfig, TrainConfig
