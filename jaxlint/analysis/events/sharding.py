"""Events of arrays that are split over devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.sharding_values import Mesh, Spec
from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Trace


@dataclass(frozen=True, slots=True, eq=False)
class UnknownAxis(Event):
    """A spec names an axis that the mesh which it is for does not have."""

    spec: Operand
    axis: str
    mesh: Mesh


@dataclass(frozen=True, slots=True, eq=False)
class BareSpec(Event):
    """A `function` that needs a sharding gets a spec alone, where no mesh is set that it could be of."""

    spec: Spec
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class SpecMismatch(Event):
    """A spec is for more dimensions than the array has, or a leaf of the tree."""

    array: Operand
    spec: Spec
    rank: int
    is_tree: bool = False


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


@dataclass(frozen=True, slots=True, eq=False)
class MixedDevices(Event):
    """Two arrays that are computed with were put on different devices: each with the device, and where it was put."""

    first: Operand
    first_on: str
    first_put: Place
    second: Operand
    second_on: str
    second_put: Place


@dataclass(frozen=True, slots=True, eq=False)
class UnshardedPut(Event):
    """An array that was put whole on one device, by `function`, is split over the devices of a mesh."""

    array: Operand
    function: str
    put: Place


@dataclass(frozen=True, slots=True, eq=False)
class DivergentCall(Event):
    """What all processes have to do together is done behind a test that only some of them pass.

    It `is_sure` where the processes surely communicate.
    """

    function: str
    test: Place
    condition: str
    is_sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class MissingCollective(Event):
    """Each device changes parameters by the gradient of its own data.

    `function` is what is differentiated, `axis` the name of the axis.
    """

    mapped_by: Trace
    function: str
    axis: str


@dataclass(frozen=True, slots=True, eq=False)
class ShardLoss(Event):
    """Of an array that holds the losses of all devices' parts, that of one device is taken."""

    function: str
