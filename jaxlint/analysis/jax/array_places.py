"""Arrays that calls put on devices, and calls that compute with arrays from several of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.sharding_values import Device, Mesh, Sharding
from jaxlint.analysis.domain.values import Arguments, Array, Level, Static, Tuple, Value, ident_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.sharding import UnshardedPut
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import iteration
from jaxlint.analysis.typestate import placements

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import ModuleContext
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir

#: An array with fewer elements costs nothing, wherever it goes first.
_LARGE = 2**20


class _Put(NamedTuple):
    """A call that put an array of NumPy on the default device."""

    module: ModuleContext
    at: int


@dataclass(slots=True)
class _Whole(Table):
    """The arrays that lie whole on the default device, by their identity."""

    by_ident: dict[Ident, _Put] = field(default_factory=dict)


def put(it: Interpreter, name: str, arguments: Arguments, result: Value, node: ir.Expr) -> Value:
    """What a function of JAX returns that may put an array on a device: the array, known by where it is."""
    if not it.api.has(name, "to-device") or it.frame.trace is not None:
        return result
    device = arguments.get(1 if it.api.has(name, "splits") else None, "device")
    on = device.value if isinstance(device, Static) else None
    if device is None:
        return _put_whole(it, arguments, result, node)
    if not isinstance(on, Device | Sharding):
        return result
    if isinstance(on, Sharding) and any(on.spec.parts):
        _tell_unsharded(it, arguments, node)
    at = arguments.at(1, "device")
    result = _identified(it, result, node)
    placed: Device | Mesh = on.mesh if isinstance(on, Sharding) else on
    where = placements.Placement(placed, it.frame.module, at if at >= 0 else node.at, it.place(node.at))
    placements.put(it, result, where)
    return result


def _identified(it: Interpreter, value: Value, node: ir.Expr) -> Value:
    """The same arrays, each told apart from all others."""
    if isinstance(value, Tuple):
        return replace(value, elements=tuple(_identified(it, part, node) for part in value.elements))
    return replace(value, ident=it.ident(node.at)) if isinstance(value, Array) else value


def _put_whole(it: Interpreter, arguments: Arguments, result: Value, node: ir.Expr) -> Value:
    given = arguments.first
    if not isinstance(given, Array) or given.level is not Level.HOST or not isinstance(result, Array):
        return result
    if given.shape is not None and _is_small(given.shape):
        return result
    result = replace(result, ident=it.ident(node.at))
    it.tables[_Whole].by_ident[result.ident] = _Put(it.frame.module, node.at)
    return result


def _is_small(shape: tuple[object, ...]) -> bool:
    known = [length for length in shape if isinstance(length, int)]
    return len(known) == len(shape) and prod(known) < _LARGE


def _tell_unsharded(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    """An array is split over a mesh: tell the rules where it was put whole on one device before."""
    whole = it.tables[_Whole].by_ident.get(ident_of(arguments.first))
    if whole is not None and it.wants(UnshardedPut):
        array = Operand.argument(arguments, 0, it.frame, node.at)
        function, place = whole.module.text(whole.at).partition("(")[0], Place(whole.module.path, whole.at)
        it.emit(UnshardedPut(it.frame, node.at, array, function, place))


def computed(it: Interpreter, name: str, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """A function of a library was called: if one of JAX computes with its arguments, they have to be together."""
    if it.frame.trace is not None or not it.tables[placements.Placements].by_ident:
        return
    if it.api.has(name, "to-device") or it.api.has(name, "of-devices"):
        return
    row = it.api.function(name)
    if row is not None and row.returns.head == "array":
        placements.meet(it, _operands(it, arguments), result, node.at)


def called(it: Interpreter, application: Application, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """A transformed function was called: what is compiled runs as one computation."""
    if it.api.has(application.name, "keeps-programs"):
        placements.meet(it, _operands(it, arguments), result, node.at)


def _operands(it: Interpreter, arguments: Arguments) -> Iterator[tuple[Value, int]]:
    """The arguments, and the elements of sequences among them, with where each argument is written."""
    written = [*arguments.positional_at, *(arguments.keyword_at.get(name, -1) for name in arguments.keywords)]
    for value, at in zip(arguments.all(), written):
        elements = iteration.exact_elements(it, value)
        yield from ((element, at) for element in ((value,) if elements is None else elements))
