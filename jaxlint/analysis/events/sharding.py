"""Events of arrays that are split over devices."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain.sharding_values import Mesh, Spec
from jaxlint.analysis.events.event import Event, Operand


@dataclass(frozen=True, slots=True, eq=False)
class UnknownAxis(Event):
    """A spec names an axis that the mesh which it is for does not have."""

    spec: Operand
    axis: str
    mesh: Mesh


@dataclass(frozen=True, slots=True, eq=False)
class SpecMismatch(Event):
    """A spec is for more dimensions than the array has."""

    array: Operand
    spec: Spec
    rank: int


@dataclass(frozen=True, slots=True, eq=False)
class UnevenSplit(Event):
    """A dimension of an array is split over a number of devices that does not divide it."""

    array: Operand
    dimension: int
    size: int
    axes: tuple[str, ...]
    devices: int


@dataclass(frozen=True, slots=True, eq=False)
class DeviceGrid(Event):
    """Devices are given to a function of arrays (`function`), or are laid out along another number of axes."""

    devices: Operand
    function: str
    names: tuple[str, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class PerDevice(Event):
    """A function is given to a transform that runs it once for each device."""

    function: str
