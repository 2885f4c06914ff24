"""The names of mapped axes: which transforms bind them, and whether a collective runs along one that is bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import may_be_class, short_name
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.sharding_values import Mesh
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    Array,
    Iterable,
    Object,
    SetCell,
    Static,
    Transformed,
    Value,
    is_none,
)
from jaxlint.analysis.events.contracts import AxisBinder, UnboundAxis
from jaxlint.analysis.jax import trees
from jaxlint.analysis.machine import dependencies
from jaxlint.analysis.machine.project_questions import about_all_files
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter

_NONE: frozenset[str] = frozenset()


@dataclass(slots=True)
class LiftedAxes(Table):
    """The names that transforms of classes bind inside of the methods of these; `unknown`: some are not known.

    `wrapped` holds what is given to a transform that may bind further names, by its application.
    """

    names: set[str] = field(default_factory=set)
    unknown: bool = False
    wrapped: set[int] = field(default_factory=set)


def applied(it: Interpreter, application: Application) -> None:
    """A transform is given a function, or a class, whose methods see its axis wherever they are called."""
    if isinstance(application.target, Transformed):
        it.tables[LiftedAxes].wrapped.add(id(application.target.application))
    if not application.row.lifts_classes or not may_be_class(application.target):
        return
    names, table = bound(it, application), it.tables[LiftedAxes]
    table.unknown |= names is None
    table.names |= names or _NONE


def bound(it: Interpreter, application: Application) -> frozenset[str] | None:
    """The names that a transform binds inside of its function; None where they are not known."""
    arguments = application.arguments
    if "axis_env" in arguments.keywords:
        return None
    if it.api.has(application.name, "binds-mesh"):
        named = arguments.keywords.get("axis_names")
        if named is not None:
            return _named_alone(it, named)
        mesh = arguments.get(1, "mesh")
        return frozenset(mesh.value.names) if isinstance(mesh, Static) and isinstance(mesh.value, Mesh) else None
    if not it.api.has(application.name, "binds-axis"):
        return _NONE
    value = _parameter(it, application.name, arguments)
    if value is None:
        return None if arguments.extra else _NONE
    if isinstance(value, Static) and is_none(value):
        return _NONE
    return frozenset((value.value,)) if isinstance(value, Static) and isinstance(value.value, str) else None


def _named_alone(it: Interpreter, names: Value) -> frozenset[str] | None:
    """The one axis in `axis_names={"data"}`: `shard_map` binds no other axis of its mesh; None where it is unknown."""
    cell = it.cell(names) if isinstance(names, Object) else None
    only = cell.element if isinstance(cell, SetCell) else names.element if isinstance(names, Iterable) else UNKNOWN
    return frozenset((only.value,)) if isinstance(only, Static) and isinstance(only.value, str) else None


def _parameter(it: Interpreter, name: str, arguments: Arguments) -> Value | None:
    """What a function of JAX is given as `axis_name`."""
    row = it.api.function(name)
    positional = () if row is None else row.params.positional
    return arguments.get(positional.index("axis_name") if "axis_name" in positional else None, "axis_name")


def library_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules of a collective along an axis that nothing around it binds."""
    if not it.api.has(name, "collective"):
        return
    dependencies.note_collective(it, of_numbers=_is_of_numbers(it, arguments.first))
    if not it.wants(UnboundAxis) or arguments.extra:
        return
    value = _parameter(it, name, arguments)
    unbound = next((axis for axis in _names(it, value) if _is_unbound(it, axis)), None)
    if unbound is not None:
        collective, binders = it.operand(value or arguments.first, node), tuple(_binders(it, it.frame.trace))
        nameless = _nameless(it, it.frame.trace)
        frame, at = (it.frame, node.at) if nameless is None else (nameless.frame, nameless.at)
        it.emit(UnboundAxis(frame, at, unbound, collective, binders, _is_guarded(it)))


def _nameless(it: Interpreter, trace: Trace | None) -> Application | None:
    """The innermost transform around that maps a function, if it was given no name: that is what is missing."""
    while trace is not None and not _maps(it, trace):
        trace = trace.parent
    return trace.application if trace is not None and trace.axes == _NONE else None


def _is_mapped(it: Interpreter, trace: Trace | None) -> bool:
    """Whether some transform around maps a function: code around that binds one more name would be rare."""
    while trace is not None:
        if _maps(it, trace) and not trace.is_uncalled:
            return True
        trace = trace.parent
    return False


def _maps(it: Interpreter, trace: Trace) -> bool:
    return it.api.has(trace.transform, "binds-axis") or it.api.has(trace.transform, "binds-mesh")


def _is_of_numbers(it: Interpreter, tree: Value) -> bool:
    """Whether all leaves of a tree are single numbers."""
    leaves = trees.leaves(it, tree)
    return all(isinstance(leaf, Static) or (isinstance(leaf, Array) and leaf.shape == ()) for leaf in leaves)


def _names(it: Interpreter, value: Value | None) -> Iterator[str]:
    """The axes that a collective is given, as far as they are known."""
    if value is None:
        return
    for part in (value,) if isinstance(value, Static) else iteration.exact_elements(it, value) or ():
        if isinstance(part, Static) and isinstance(part.value, str):
            yield part.value


def _is_unbound(it: Interpreter, axis: str) -> bool:
    """Whether no transform around binds a name, all of them being known."""
    lifted, trace = it.tables[LiftedAxes], it.frame.trace
    if lifted.unknown or axis in lifted.names or it.frame.caveats.assumed or it.frame.caveats.eager:
        return False
    entry: Trace | None = None
    outermost = trace
    while trace is not None:
        if trace.axes is None or axis in trace.axes:
            return False
        outermost = trace
        if entry is None and it.api.has(trace.transform, "starts-program"):
            if trace.is_uncalled and id(trace.application) in lifted.wrapped:
                return False
            entry = trace  # code that is not seen may call this, and binds no axis then
        trace = trace.parent
    if _is_known(it, entry or outermost, is_entry=entry is not None):
        return True
    mapped = _nameless(it, it.frame.trace) is not None or _is_mapped(it, it.frame.trace)
    return mapped and not it.frame.is_open and not _is_bound_elsewhere(it, axis)


@about_all_files
def _is_bound_elsewhere(it: Interpreter, axis: str) -> bool:
    """Whether the project names an axis beside its collectives: callers that are not seen may bind it, then."""
    return any(_mentions_axis(it, source.module, axis) for source in it.project.files.values())


@memoised
def _mentions_axis(it: Interpreter, module: ir.Module, axis: str) -> bool:
    """Whether a module has the text outside of the arguments of collectives."""
    of_collectives: set[int] = set()
    mentions: set[int] = set()
    for node in walks.nodes(module):
        if isinstance(node, ir.Constant) and node.value == axis:
            mentions.add(node.at)
        elif isinstance(node, ir.Call):
            name = walks.dotted(node.func).rpartition(".")[2]
            if it.api.has(f"*.{name}", "collective"):
                of_collectives |= {part.at for part in walks.nodes(node) if isinstance(part, ir.Constant)}
    return not mentions <= of_collectives


def _is_known(it: Interpreter, outermost: Trace | None, *, is_entry: bool) -> bool:
    """Whether all calls that lead here are known, up to the module or to what starts a program.

    Tests inside of the traces may be for what is called without an axis.
    """
    frames = list(_frames(it.frame, outermost))
    if any(_is_open(it, frame) or (frame.conditions and frame.kind != "module") for frame in frames):
        return False
    if is_entry:
        return True
    return all(not _is_open(it, frame) for frame in it.frame.callers()) and (
        it.frame.trace is None or it.frame.trace.is_called
    )


def _is_guarded(it: Interpreter) -> bool:
    """Whether tests inside of the traces around lead here: they may be for what is called with an axis."""
    outermost = it.frame.trace
    while outermost is not None and outermost.parent is not None:
        outermost = outermost.parent
    return any(frame.conditions and frame.kind != "module" for frame in _frames(it.frame, outermost))


def _frames(frame: Frame, outermost: Trace | None) -> Iterator[Frame]:
    """The invocations inside of a trace, or all of them."""
    for each in frame.callers():
        if outermost is not None and not _is_inside(each.trace, outermost):
            return
        yield each


def _is_inside(trace: Trace | None, outermost: Trace) -> bool:
    while trace is not None and trace is not outermost:
        trace = trace.parent
    return trace is outermost


def _is_open(it: Interpreter, frame: Frame) -> bool:
    """Whether an invocation stands for calls that are not known."""
    if frame.is_open and frame.function is not None and not frame.function.parameters:
        return False  # what takes nothing is never mapped
    if frame.is_open or (frame.caller is None and frame.kind != "module"):
        return True
    return frame.caller is not None and (frame.caller.path, frame.call_at) in it.facts.registrations


def _binders(it: Interpreter, trace: Trace | None) -> Iterator[AxisBinder]:
    """What maps the functions around, innermost first."""
    while trace is not None:
        if _maps(it, trace) and trace.application is not None:
            place = Place(trace.application.frame.path, trace.application.at)
            yield AxisBinder(short_name(trace.transform), trace.function, tuple(sorted(trace.axes or ())), place)
        trace = trace.parent
