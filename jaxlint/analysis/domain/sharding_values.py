"""What is known of meshes, of specs and of the shardings that are made of both: each the value of a `Static`."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

from jaxlint.analysis.domain.values import Dim

#: The types of `Static`s that each process of a run on several hosts has another value of: its number, and tests of it.
PROCESS_INDEX: Final = "process index"
PROCESS_TEST: Final = "process test"
PROCESS_TYPES: Final = frozenset({PROCESS_INDEX, PROCESS_TEST})


@dataclass(frozen=True, slots=True)
class Devices:
    """A list of devices: of one platform, "" for the default one, of all processes or of this one alone.

    `count` is the number of the first ones that code took, which are as many as it asks for where it goes on.
    """

    platform: str
    of_all: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Device:
    """One device, by its number in such a list."""

    platform: str
    number: int
    of_all: bool


@dataclass(frozen=True, slots=True)
class Mesh:
    """The axes of a mesh, each with the number of its devices where that is known."""

    names: tuple[str, ...]
    sizes: tuple[Dim, ...]
    is_global: bool = False  # of the devices of all processes

    @property
    def count(self) -> int | None:
        """The number of all its devices; None where that is not known."""
        return self.devices(self.names)

    def devices(self, axes: tuple[str, ...]) -> int | None:
        """How many devices an array's dimension is split over; None where that is not known."""
        sizes = dict(zip(self.names, self.sizes))
        known = [size for size in map(sizes.get, axes) if isinstance(size, int)]
        return prod(known) if len(known) == len(axes) else None


@dataclass(frozen=True, slots=True)
class Spec:
    """The axes of a mesh that each dimension of an array is split over."""

    parts: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        shown = (repr(part[0]) if len(part) == 1 else repr(part) if part else "None" for part in self.parts)
        return f"P({', '.join(shown)})"


@dataclass(frozen=True, slots=True)
class Sharding:
    """A spec over the axes of a mesh."""

    mesh: Mesh
    spec: Spec
