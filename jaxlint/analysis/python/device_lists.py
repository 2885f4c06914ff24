"""Items of a list of devices: one of them by its number, or the first few."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.shapes import DEVICES
from jaxlint.analysis.domain.sharding_values import Device, Devices
from jaxlint.analysis.domain.values import STATIC, Static, Value
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.events.event import Operand
    from jaxlint.analysis.machine.interpreter import Interpreter


def item(it: Interpreter, devices: Devices, node: ir.Subscript, index: tuple[Operand, ...]) -> Value:
    """One device of a list, or some of them."""
    number = index[0].value if len(index) == 1 else None
    if isinstance(number, Static) and type(number.value) is int and number.value >= 0:
        return Static(Device(devices.platform, number.value, devices.of_all), "Device")
    match node.index:
        case (ir.Slice(lower=None, upper=upper, step=None), *_) if upper is not None:
            return _first(devices, it.eval(upper))
        case (ir.Slice(), *_):
            return Static(type=DEVICES)
        case _:
            return STATIC


def _first(devices: Devices, count: Value) -> Value:
    """The first few of a list; who takes the rest, or a step, takes some of them."""
    if isinstance(count, Static) and type(count.value) is int and count.value > 0:
        return Static(replace(devices, count=count.value), DEVICES)
    return Static(type=DEVICES)
