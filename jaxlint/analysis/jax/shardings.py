"""Meshes, specs and shardings: what is known of them, and whether they fit each other and arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.sharding_values import Device, Devices, Mesh, Sharding, Spec
from jaxlint.analysis.domain.values import (
    STATIC,
    UNDETERMINED,
    Arguments,
    Array,
    Dim,
    Level,
    Object,
    Shape,
    Static,
    Tuple,
    Value,
    is_none,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.sharding import BareSpec, DeviceGrid, PerDevice, SpecMismatch, UnevenSplit, UnknownAxis
from jaxlint.analysis.jax import trees
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


# --- what they are


def _devices(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A list of devices, whose number is that of the machine."""
    meaning = it.api.meaning(name)
    is_local = meaning is not None and meaning.first == "local"
    backend = arguments.get(None if is_local else 0, "backend")
    is_default = backend is None or (isinstance(backend, Static) and is_none(backend))
    platform = "" if backend is None or is_default else _text(backend)
    # Those of another process, and of a platform that is chosen at run time, are any.
    is_known = platform is not None and len(arguments.all()) == (backend is not None) and not arguments.extra
    value = Devices(platform or "", not is_local) if is_known else UNDETERMINED
    return Static(value, shapes.DEVICES, it.ident(node.at))


def _text(value: Value) -> str | None:
    return value.value if isinstance(value, Static) and isinstance(value.value, str) else None


def _single_device(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A sharding that is one device."""
    device = _known(arguments.get(0, "device"), Device)
    return STATIC if device is None else Static(device, "SingleDeviceSharding")


def _device_grid(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """An array of devices of a given shape."""
    shape = arguments.get(0, "mesh_shape")
    return Array(Level.HOST, None, None if shape is None else _sizes(it, shape), ident=it.ident(node.at))


def _make_mesh(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A mesh of a given shape."""
    shape, names = arguments.get(0, "axis_shapes"), arguments.get(1, "axis_names")
    if shape is None or names is None:
        return Static(type="Mesh")
    of_all = arguments.get(None, "devices") is None
    return _mesh(it, _sizes(it, shape), names, Operand(shape, it.frame, node.at), name, is_global=of_all)


def _mesh_of(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A mesh of devices that somebody laid out."""
    devices, names = arguments.get(0, "devices"), arguments.get(1, "axis_names")
    if devices is None or names is None:
        return Static(type="Mesh")
    along = shapes.shape_of(devices) or None  # one device, as far as is known, may stand for many
    listed = _known(devices, Devices)
    of_all = listed is not None and listed.of_all and listed.count is None
    return _mesh(it, along, names, Operand(devices, it.frame, node.at), name, is_global=of_all)


def _mesh(
    it: Interpreter, shape: Shape, names: Value, devices: Operand, function: str, *, is_global: bool = False
) -> Static:
    axes = _axes(it, names)
    if axes is None:
        return Static(type="Mesh")
    if shape is not None and len(shape) != len(axes):
        if it.wants(DeviceGrid):
            it.emit(DeviceGrid(it.frame, devices.at, devices, function, axes, len(shape)))
        return Static(type="Mesh")
    return Static(Mesh(axes, shape or (None,) * len(axes), is_global), "Mesh")


def _spec(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A spec, of which all parts are known, or nothing."""
    parts = [() if isinstance(value, Static) and is_none(value) else _axes(it, value) for value in arguments.positional]
    if arguments.extra or arguments.keywords or any(part is None for part in parts):
        return Static(type="PartitionSpec")
    return Static(Spec(tuple(part for part in parts if part is not None)), "PartitionSpec")


def _named_sharding(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A spec over a mesh: it raises where the mesh does not have an axis."""
    mesh, spec = _known(arguments.get(0, "mesh"), Mesh), _known(arguments.get(1, "spec"), Spec)
    if mesh is None or spec is None:
        return Static(type="NamedSharding")
    at = arguments.at(1, "spec")
    _tell_axis(it, mesh, spec, at if at >= 0 else node.at)
    return Static(Sharding(mesh, spec), "NamedSharding")


def _known(value: Value | None, kind: type[Any]) -> Any:
    found = value.value if isinstance(value, Static) else None
    return found if isinstance(found, kind) else None


def _sizes(it: Interpreter, value: Value) -> Shape:
    """A sequence of numbers, some of which are known."""
    given = shapes.given_shape(value)
    if given is not None or isinstance(value, Static):
        return given
    exact = iteration.exact_elements(it, value)
    return None if exact is None else shapes.given_shape(Tuple(exact))


def _axes(it: Interpreter, value: Value) -> tuple[str, ...] | None:
    """The name of an axis, or several of them; None where they are not all known."""
    parts = (value,) if isinstance(value, Static) else iteration.exact_elements(it, value)
    names = [part.value for part in parts or () if isinstance(part, Static) and isinstance(part.value, str)]
    return tuple(names) if parts and len(names) == len(parts) else None


def _set_mesh(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A mesh that counts from here on, or in the block of a `with`."""
    it.facts.may_have_mesh = True
    return it.unknown(f"call of `{name}`", node.at)


SPECIAL: dict[str, Handler] = {
    "set_mesh": _set_mesh,
    "devices": _devices,
    "device_grid": _device_grid,
    "make_mesh": _make_mesh,
    "mesh": _mesh_of,
    "partition_spec": _spec,
    "named_sharding": _named_sharding,
    "single_device_sharding": _single_device,
}


# --- whether they fit


def _tell_axis(it: Interpreter, mesh: Mesh, spec: Spec, at: int) -> None:
    unknown = next((axis for part in spec.parts for axis in part if axis not in mesh.names), None)
    if unknown is not None and it.wants(UnknownAxis):
        it.emit(UnknownAxis(it.frame, at, Operand(Static(spec), it.frame, at), unknown, mesh))


def library_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """A function of JAX is given devices for an array, or an array with the sharding that it is to have."""
    if it.api.has(name, "keeps-keys"):
        value = arguments.first
        if isinstance(value, Static) and value.type == shapes.DEVICES and it.wants(DeviceGrid):
            at = arguments.at(0, None)
            it.emit(DeviceGrid(it.frame, node.at, Operand(value, it.frame, at if at >= 0 else node.at), name))
    elif it.api.has(name, "splits"):
        _tell_bare(it, name, arguments.all()[1:], node.at)
        sharding = next((s for value in arguments.all()[1:] if (s := _known(value, Sharding)) is not None), None)
        if sharding is not None:
            _tell_rank(it, arguments.first, sharding.spec, node.at, arguments.at(0, None))
            _tell_leaves(it, arguments.first, sharding.spec, node.at, arguments.at(0, None))
            if it.frame.trace is None:  # compiled code pads what does not come out even
                _tell_split(it, arguments.first, sharding, node.at, arguments.at(0, None))


def applied(it: Interpreter, application: Application) -> None:
    """A function is given to a transform."""
    if it.wants(PerDevice) and it.api.has(application.name, "per-device"):
        it.emit(PerDevice(it.frame, application.at, application.short_name))


def called(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> None:
    """A function that a transform splits over a mesh was called: each spec is for an argument."""
    if it.api.has(application.name, "keeps-programs"):
        options = (application.arguments.get(None, option) for option in ("in_shardings", "out_shardings"))
        declared = [part for value in options if value is not None for part in (_parts(it, value) or (value,))]
        _tell_bare(it, application.name, declared, node.at)
    mesh = _known(application.arguments.get(None, "mesh"), Mesh)
    if mesh is None or not it.api.has(application.name, "splits"):
        return
    given = application.arguments
    for option in ("in_specs", "out_specs"):
        for spec in _specs(it, given.get(None, option)):
            _tell_axis(it, mesh, spec, node.at)
    specs = given.get(None, "in_specs")
    count = len(arguments.positional)
    each = (specs,) * count if isinstance(specs, Static) else _parts(it, specs)
    for number, (value, part) in enumerate(zip(arguments.positional, each)):
        spec = _known(part, Spec)
        if spec is not None:
            _tell_rank(it, value, spec, node.at, arguments.positional_at[number])
            _tell_split(it, value, Sharding(mesh, spec), node.at, arguments.positional_at[number])


def _tell_bare(it: Interpreter, function: str, given: list[Value], at: int) -> None:
    """Tell the rules of a spec where a sharding is needed, since no mesh is set.

    That is known of code alone that the module runs itself, or calls, in a program that never sets one.
    """
    spec = next((known for value in given if (known := _known(value, Spec)) is not None), None)
    if spec is None or it.facts.may_have_mesh or not it.wants(BareSpec):
        return
    *_, outermost = it.frame.callers()
    if outermost.kind == "module" and not any(frame.is_open for frame in it.frame.callers()):
        it.emit(BareSpec(it.frame, at, spec, function))


def _parts(it: Interpreter, value: Value | None) -> tuple[Value, ...]:
    return () if value is None else iteration.exact_elements(it, value) or ()


def _specs(it: Interpreter, value: Value | None) -> Iterator[Spec]:
    for part in (value,) if isinstance(value, Static) else _parts(it, value):
        spec = _known(part, Spec)
        if spec is not None:
            yield spec


def _shape(value: Value) -> tuple[Dim, ...] | None:
    return value.shape if isinstance(value, Array) and value.level is not Level.MAPPED else None


def _tell_rank(it: Interpreter, value: Value, spec: Spec, at: int, written: int) -> None:
    """Tell the rules where an array has fewer dimensions than its spec."""
    shape = _shape(value)
    if shape is not None and len(spec.parts) > len(shape) and it.wants(SpecMismatch):
        array = Operand(value, it.frame, written if written >= 0 else at)
        it.emit(SpecMismatch(it.frame, at, array, spec, len(shape)))


def _tell_leaves(it: Interpreter, tree: Value, spec: Spec, at: int, written: int) -> None:
    """Tell the rules where a leaf of a tree, each of which gets the same spec, has fewer dimensions than that."""
    if not isinstance(tree, Tuple | Object) or not it.wants(SpecMismatch):
        return
    ranks = [len(shape) for leaf in trees.leaves(it, tree) if (shape := _shape(leaf)) is not None]
    if ranks and len(spec.parts) > min(ranks):
        array = Operand(tree, it.frame, written if written >= 0 else at)
        it.emit(SpecMismatch(it.frame, at, array, spec, min(ranks), is_tree=True))


def _tell_split(it: Interpreter, value: Value, sharding: Sharding, at: int, written: int) -> None:
    """Tell the rules where an array has a dimension that cannot be split evenly."""
    shape, parts = _shape(value), sharding.spec.parts
    if shape is None or len(parts) > len(shape) or not it.wants(UnevenSplit):
        return
    array = Operand(value, it.frame, written if written >= 0 else at)
    for number, (axes, size) in enumerate(zip(parts, shape)):
        devices = sharding.mesh.devices(axes)
        if axes and devices and isinstance(size, int) and size % devices:
            it.emit(UnevenSplit(it.frame, at, array, number, size, axes, devices))
            return
