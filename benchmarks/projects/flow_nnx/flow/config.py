"""Settings of a model, a trainer and a sampler."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ModelConfig:
    features: int = 2
    width: int = 16
    depth: int = 2
    embedding: str = "fourier"
    gated: bool = False


@dataclass(frozen=True)
class Config:
    model: ModelConfig = field(default_factory=ModelConfig)
    path: str = "linear"
    solver: str = "euler"
    batch: int = 8
    rate: float = 1e-3
