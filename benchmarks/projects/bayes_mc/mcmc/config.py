from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class AdaptConfig:
    target: float = 0.8
    gamma: float = 0.05
    delay: float = 10.0
    power: float = 0.75


@dataclasses.dataclass(frozen=True)
class SMCConfig:
    particles: int = 32
    resampling: str = "systematic"
    efficiency: float = 0.5
    moves: int = 2
    step_size: float = 0.1
    roughening: float = 0.0
    track_diversity: bool = False


@dataclasses.dataclass
class RunConfig:
    model: str = "eight_schools"
    integrator: str = "leapfrog"
    leapfrog_steps: int = 6
    chains: int = 4
    warmup: int = 40
    draws: int = 25
    seed: int = 0
    quantiles: list[float] = dataclasses.field(default_factory=lambda: [0.05, 0.5, 0.95])
    levels: tuple[float, ...] = (0.5, 0.9)
    adapt: AdaptConfig = AdaptConfig()
    smc: SMCConfig = SMCConfig()

    @classmethod
    def from_dict(cls, given):
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = set(given) - known
        if unknown:
            raise ValueError(f"unknown settings: {sorted(unknown)}")
        return cls(**given)
