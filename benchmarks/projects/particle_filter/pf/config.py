"""What a run of the filter needs to know."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class FilterConfig:
    particles: int = 64
    threshold: float = 0.5
    resampling: str = "systematic"
    adaptive: bool = False


@dataclasses.dataclass
class RunConfig:
    model: str = "linear"
    steps: int = 20
    filter: FilterConfig = dataclasses.field(default_factory=FilterConfig)
    parameters: dict = dataclasses.field(default_factory=dict)
