"""Events of arrays that are split over devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.sharding_values import Mesh, Spec
from jaxlint.analysis.events.event import Event, Operand

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Trace


@dataclass(frozen=True, slots=True, eq=False)
class UnknownAxis(Event):
    """A spec names an axis that its mesh does not have."""

    raises: ClassVar[bool] = True

    spec: Operand
    axis: str
    mesh: Mesh


@dataclass(frozen=True, slots=True, eq=False)
class BareSpec(Event):
    """A `function` that needs a sharding receives a spec, and no mesh is set."""

    raises: ClassVar[bool] = True

    spec: Spec
    function: str


@dataclass(frozen=True, slots=True, eq=False)
class SpecMismatch(Event):
    """A spec has more dimensions than the array, or than a leaf of the tree."""

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
    """Devices are passed to an array function (`function`), or their grid has another rank than the axis names."""

    devices: Operand
    function: str
    names: tuple[str, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class PerDevice(Event):
    """A function is passed to a transform that runs it once per device."""

    function: str


@dataclass(frozen=True, slots=True, eq=False)
class MixedDevices(Event):
    """One operation uses two arrays on different devices. Each has its device, and the place of the transfer."""

    first: Operand
    first_on: str
    first_put: Place
    second: Operand
    second_on: str
    second_put: Place


@dataclass(frozen=True, slots=True, eq=False)
class UnshardedPut(Event):
    """An array that `function` put on one device as a whole is then split over a mesh."""

    array: Operand
    function: str
    put: Place


@dataclass(frozen=True, slots=True, eq=False)
class DivergentCall(Event):
    """A call that all processes must make is behind a test that only some of them pass.

    `is_sure` is set if the processes certainly communicate.
    """

    function: str
    test: Place
    condition: str
    is_sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class MissingCollective(Event):
    """Each device updates parameters with the gradient of its own data.

    `function` is the differentiated function, `axis` the name of the axis.
    """

    mapped_by: Trace
    function: str
    axis: str


@dataclass(frozen=True, slots=True, eq=False)
class ShardLoss(Event):
    """Of the per-device losses in an array, the code uses that of one device."""

    function: str
