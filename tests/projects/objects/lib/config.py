"""Settings that other modules read."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Config:
    depth: int = 2
    scale: float = 0.5
    centred: bool = True
    names: tuple[str, ...] = ("a", "b")

    @property
    def is_deep(self):
        return self.depth > 1


CONFIG = Config(depth=3)
LIMITS = {"low": 0.0, "high": 1.0}
SEEN = []
SHAPE = [1, 1]
