"""The devices that arrays were put on by name: whether those of one computation are on the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident, Item
from jaxlint.analysis.domain.sharding_values import Device, Mesh
from jaxlint.analysis.domain.values import Array, Key, Leaves, Tuple, Value, atoms_of, ident_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.sharding import MixedDevices
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import ModuleContext
    from jaxlint.analysis.machine.interpreter import Interpreter


class Placement(NamedTuple):
    """Where an array was put: on what, where that is written, and by which call."""

    on: Device | Mesh
    module: ModuleContext
    at: int
    put: Place

    @property
    def text(self) -> str:
        """What it was put on, as written."""
        return self.module.text(self.at)


@dataclass(slots=True)
class Placements(Table):
    """Where arrays were put, by their identity."""

    by_ident: dict[Ident, Placement] = field(default_factory=dict)


def put(it: Interpreter, value: Value, placement: Placement) -> None:
    """An array, or a tuple of arrays, was put somewhere, and stays there."""
    known = it.tables[Placements].by_ident
    if isinstance(value, Tuple):
        for part in value.elements:
            put(it, part, placement)
    elif isinstance(value, Array | Leaves | Key) and value.ident is not None:
        known[value.ident] = placement


def of(it: Interpreter, value: Value) -> Placement | None:
    """Where a value was put, or what it is an element of; None where that is not known."""
    known = it.tables[Placements].by_ident
    if not known or len(atoms_of(value)) != 1:
        return None
    ident = ident_of(value)
    while isinstance(ident, Item) and ident not in known:
        ident = ident.base
    return known.get(ident)


def meet(it: Interpreter, operands: Iterable[tuple[Value, int]], result: Value | None, at: int) -> None:
    """Arrays are computed with: tell the rules of two on different devices; what comes of them is where they are."""
    if not it.tables[Placements].by_ident or it.frame.trace is not None:
        return
    placed = [(value, written, found) for value, written in operands if (found := of(it, value)) is not None]
    if not placed:
        return
    first, *others = placed
    other = next((other for other in others if _surely_apart(first[2].on, other[2].on)), None)
    if other is not None:
        if it.wants(MixedDevices):
            one, another = _operand(it, first, at), _operand(it, other, at)
            on, elsewhere = first[2], other[2]
            it.emit(MixedDevices(it.frame, at, one, on.text, on.put, another, elsewhere.text, elsewhere.put))
    elif result is not None:
        put(it, result, first[2])


def _operand(it: Interpreter, placed: tuple[Value, int, Placement], at: int) -> Operand:
    value, written, _ = placed
    return Operand(value, it.frame, written if written >= 0 else at)


def _surely_apart(first: Device | Mesh, second: Device | Mesh) -> bool:
    """Whether two sets of devices differ on every machine that has them."""
    if isinstance(first, Device) and isinstance(second, Device):
        if first.platform and second.platform and first.platform != second.platform:
            return True
        return first.of_all is second.of_all and first.number != second.number
    counts = [1 if isinstance(each, Device) else each.count for each in (first, second)]
    return None not in counts and counts[0] != counts[1]
