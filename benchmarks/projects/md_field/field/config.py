import dataclasses


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    width: int = 8
    rounds: int = 2
    radial: int = 6
    cutoff: float = 3.0
    init: str = "glorot"
    bonded: bool = False  # weigh edges by covalent radii
    by_scatter: bool = True


@dataclasses.dataclass(frozen=True)
class TrainConfig:
    rate: float = 1e-2
    warmup: int = 4
    steps: int = 12
    schedule: str = "cosine"
    decay: float = 0.9
    batch: int = 2
    seed: int = 0
    compute: str = "float32"
