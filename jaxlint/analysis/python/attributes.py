"""Attribute access, atom by atom."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.idents import Again, AttributeOf, Ident, OfDimension, Version
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    FALSE,
    NONE,
    STATIC,
    STATIC_DTYPE,
    STATIC_INT,
    STATIC_STR,
    UNKNOWN,
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    FunctionValue,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    Made,
    Member,
    ModuleValue,
    Object,
    Partial,
    Qualified,
    Reason,
    Ref,
    Static,
    Super,
    Tuple,
    Union,
    Unknown,
    Update,
    Value,
    atoms_of,
    constant,
    has_no_value,
    is_none,
)
from jaxlint.analysis.machine import dependencies, ended_paths
from jaxlint.analysis.machine.class_bases import open_ended
from jaxlint.analysis.machine.levels import is_surely_of_jax
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import (
    attribute_views,
    classes,
    descriptors,
    enumerations,
    failures,
    library_uses,
    record_classes,
    stale_reads,
)
from jaxlint.analysis.source import stored_attributes
from jaxlint.jaxapi.names import KEY_DTYPE
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Library names whose value is a Python constant or a dtype.
CONSTANTS: dict[str, Value] = {
    "newaxis": NONE,
    "pi": Static(type="float"),
    "e": Static(type="float"),
    "inf": Static(type="float"),
    "nan": Static(math.nan, "float"),
}


def read(it: Interpreter, node: ir.Attribute) -> Value:
    """The value of an attribute expression; where the variable surely has no such attribute, the path ends."""
    value = it.eval(node.base)
    if value.__class__ in _WITHOUT and _is_missing(it, node, value):
        ended_paths.end(it, node.at, "an attribute that is missing")
    if value.__class__ is Qualified:
        library_uses.attribute_read(it, value, node)
    found = it.attribute(value, node.attr, node.at)
    if node.attr == "__name__" and value.__class__ is Qualified and _may_be_another(it, node.base):
        return STATIC_STR
    if ended_paths.is_failure(found):
        ended_paths.end(it, node.at, "a property that always raises")
    return found


#: What may surely have none of the attributes that some code reads.
_WITHOUT = (Static, Tuple, Array, Object, Union)


def _is_missing(it: Interpreter, node: ir.Attribute, value: Value) -> bool:
    """Whether what a variable holds, or a call gave, lacks an attribute that is read.

    What other code may have bound in the meantime, by `nonlocal` or `global`, is not known as surely.
    """
    if isinstance(node.base, ir.Call):
        return failures.lacks(it, value, node.attr)
    frame, name = it.frame, node.base.id if isinstance(node.base, ir.Name) else ""
    if frame.state.env.get(name) is None or name in frame.scope.globals or frame.kind not in ("function", "module"):
        return False
    if is_none(value) and (frame.function is None or node.attr.startswith("__")):
        return False
    if not is_none(value) and not failures.lacks(it, value, node.attr):
        return False
    return name not in _bound_elsewhere(it, frame.body)


def _may_be_another(it: Interpreter, module: ir.Expr) -> bool:
    """Whether a name for a module may be bound to another one, by `global` or `nonlocal`, before it is read."""
    found = it.find_binding(module.id) if isinstance(module, ir.Name) else None
    return found is not None and isinstance(module, ir.Name) and module.id in _bound_elsewhere(it, found[0].body)


@memoised
def _bound_elsewhere(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names that functions in this code declare `nonlocal` or `global`, or the code itself does."""
    declared = (node for node in walks.nodes(body) if isinstance(node, ir.ScopeDeclaration))
    return frozenset(name for node in declared for name in node.names)


def attribute(it: Interpreter, value: Value, name: str, at: int) -> Value:
    """The value of `value.name`; None among several atoms is left out, since reading from it would raise."""
    atoms = atoms_of(value)
    if len(atoms) == 1:
        return _atom(it, atoms[0], name, at)
    having = [atom for atom in atoms if not _lacks(atom, name)]
    return join_all([_atom(it, atom, name, at) for atom in having or atoms])


def _lacks(atom: Atom, name: str) -> bool:
    """Whether reading an attribute raises, where it is read of one of several values: it is of the others then."""
    return is_none(atom) or (name == "at" and isinstance(atom, Array) and atom.level is Level.HOST)


def _atom(it: Interpreter, atom: Atom, name: str, at: int) -> Value:
    access = _ACCESS.get(atom.__class__)
    return Member(atom, name) if access is None else access(it, atom, name, at)


def _qualified(it: Interpreter, atom: Qualified, name: str, at: int) -> Value:
    full = f"{atom.name}.{name}"
    if name == "__name__" and it.api.names_module(atom.name):
        return constant(atom.name)
    if name in CONSTANTS and it.api.has(atom.name, "holds-constants"):
        return CONSTANTS[name]
    trace = it.frame.trace
    if trace is not None and trace.ambient is Level.TRACED and it.api.has(full, "off-in-traces"):
        return FALSE
    return it.resolve(full)


def _module(it: Interpreter, atom: ModuleValue, name: str, at: int) -> Value:
    return it.module_attribute(atom.module, name)


def _array(it: Interpreter, atom: Array, name: str, at: int) -> Value:
    if name == "at" and atom.level is not Level.HOST:
        return Update(atom, indexed=False)
    if name == "shape":
        return _shape(atom)
    if name in ("ndim", "size"):
        return _count(atom, name)
    if name == "T" and atom.shape is not None:
        return Array(_result_level(it, atom), atom.dtype, atom.shape[::-1], atom.weak, atom.origin)
    return _array_like(it, atom, name, at, atom.dtype)


def _count(atom: Array | Key, name: str) -> Value:
    """How many dimensions or elements an array has."""
    count = shapes.count(name, atom.shape)
    return constant(count) if isinstance(count, int) else STATIC_INT


def _shape(atom: Array | Key) -> Value:
    if atom.shape is None:
        return Iterable("tuple", STATIC_INT)
    return Tuple(
        tuple(
            constant(d) if isinstance(d, int) else Static(type="int", ident=None if d is None else OfDimension(d))
            for d in atom.shape
        )
    )


def _result_level(it: Interpreter, atom: Array | Leaves | Key) -> Level:
    return atom.level if atom.level is Level.HOST else max(atom.level, it.frame.ambient)


def _array_like(it: Interpreter, atom: Array | Leaves | Key, name: str, at: int, dtype: str | None) -> Value:
    """A member of arrays, by the table; anything else is unknown."""
    if name == "dtype" and isinstance(atom, Key) and atom.typed:
        return Qualified(KEY_DTYPE)
    row = it.api.array_member(name)
    if row is None or row.kind == "absent":
        return Member(atom, name) if isinstance(atom, Array) else _field_of_tree(it, atom, name, at)
    if row.kind == "method":
        return Member(atom, name)
    if row.tracer == "error:AttributeError" and isinstance(atom, Leaves) and has_no_value(atom):
        return _field_of_tree(it, atom, name, at)
    if row.tracer == "static" or row.tracer.startswith("error"):
        if name == "dtype":
            return _JAX_DTYPE if is_surely_of_jax(atom) else STATIC_DTYPE
        return STATIC_INT if name in ("size", "nbytes", "itemsize") else STATIC
    same = it.api.array_function(name)
    is_part = same is not None and same.dtype.head == "magnitude"
    shape = atom.shape if is_part and isinstance(atom, Array) else None
    return Array(_result_level(it, atom), shapes.magnitude(dtype) if is_part else dtype, shape, False, atom.origin)


_JAX_DTYPE: Final = Static(type=shapes.JAX_DTYPE)


def _leaves(it: Interpreter, atom: Leaves, name: str, at: int) -> Value:
    if name == "at":
        return Update(atom, indexed=False)
    if name == "shape":
        return Iterable("tuple", STATIC_INT)
    if name == "ndim":
        return STATIC_INT
    return _array_like(it, atom, name, at, None)


def _field_of_tree(it: Interpreter, atom: Leaves | Key | Array, name: str, at: int) -> Value:
    """A field of a traced argument: traced if it is a leaf, not if it is static; which, we cannot tell."""
    ident = AttributeOf(atom.ident, name) if atom.ident is not None else it.ident(at)
    return Unknown(ident, Reason(f"attribute `{name}` of a traced argument", it.frame.path, at))


def _key(it: Interpreter, atom: Key, name: str, at: int) -> Value:
    if name == "shape":
        return _shape(atom)
    if name in ("ndim", "size"):
        return _count(atom, name)
    return _array_like(it, atom, name, at, "key")


def _tuple(it: Interpreter, atom: Tuple, name: str, at: int) -> Value:
    if name in atom.names:
        return atom.elements[atom.names.index(name)]
    if atom.cls is not None:
        return classes.class_attribute(it, atom.cls, name, atom, at) or Member(atom, name)
    return Member(atom, name)


def _object(it: Interpreter, atom: Object, name: str, at: int) -> Value:
    cell = it.cell(atom)
    if isinstance(cell, InstanceCell):
        if name == "__dict__":
            return attribute_views.of_object(it, atom, cell)
        return classes.instance_attribute(it, atom, cell, name, at)
    return Member(atom, name)


def _class(it: Interpreter, atom: ClassValue, name: str, at: int) -> Value:
    found = classes.find(it, atom, name)
    if found is not None:
        stale_reads.note_part(it, stale_reads.Part(atom, name), 0, atom.namespace.get(name), at)
        if atom.kind == "enum" and isinstance(found, Static | Tuple):
            return enumerations.member(it, atom, found, is_made=classes.find(it, atom, "__new__") is not None, at=at)
        if isinstance(found, Static) and found.type == "str" and open_ended(it, atom):
            return it.unknown(f"`{name}` of `{atom.name}`, which a library may replace", at)
        return descriptors.unbound(found, atom)
    if name == "__name__":
        return Static(type="str")
    if name == "_make" and atom.kind == "namedtuple":
        return Partial(Qualified(record_classes.MADE_OF), (atom,), {}, it.fresh())
    row = it.library.inherited(it, atom, name)
    if row is not None and row.kind == "classmethod":
        return Member(atom, name)
    return Unknown(it.ident(at), Reason(f"attribute `{name}` of class `{atom.name}`", it.frame.path, at))


def _unknown(it: Interpreter, atom: Unknown, name: str, at: int) -> Value:
    if atom.ident is None:
        return Unknown(None, atom.reason)
    ident = AttributeOf(current(it, atom.ident), name)
    stored = it.entry(ident)
    return Unknown(ident, atom.reason) if stored is None else stored


def _made(it: Interpreter, atom: Made, name: str, at: int) -> Value:
    stored = None if atom.ident is None else it.entry(AttributeOf(current(it, atom.ident), name))
    found = it.library.object_attribute(it, atom, name, at) if stored is None else None
    return _unknown(it, atom, name, at) if found is None else found


def current(it: Interpreter, ident: Ident) -> Ident:
    """The identity of an unknown object's contents, which somebody looks at: another one after each change to it."""
    it.facts.looked_into.add(ident)
    version = it.entry(Version(ident))
    return ident if version is None else Again(version, ident)


def forget_attributes(it: Interpreter, atom: Unknown) -> None:
    """What was known of an unknown object's contents is no longer so: a call may have changed them."""
    if atom.ident is not None and atom.ident in it.facts.looked_into:
        dependencies.forget(it, atom.ident)


def _partial(it: Interpreter, atom: Partial, name: str, at: int) -> Value:
    return atom.function if name == "func" else UNKNOWN


def _bound(it: Interpreter, atom: BoundMethod, name: str, at: int) -> Value:
    if name == "__self__":
        return atom.receiver
    return atom.function if name == "__func__" else Member(atom, name)


def _function(it: Interpreter, atom: FunctionValue, name: str, at: int) -> Value:
    if atom.binding == "property" and name in ("setter", "getter", "deleter"):
        return Partial(Qualified(f"jaxlint.{name}"), (atom,), {}, it.fresh())
    function = atom.function
    if name == "__name__" and not function.decorators and not stored_attributes.is_assigned(it, name):
        return constant("<lambda>" if function.is_lambda else function.name)
    return Member(atom, name)


def _ref(it: Interpreter, atom: Ref, name: str, at: int) -> Value:
    if name in ("shape", "dtype", "ndim", "size"):
        return STATIC
    if name == "value":
        return Array(atom.level, origin=atom.origin)
    return Member(atom, name)


def _static(it: Interpreter, atom: Static, name: str, at: int) -> Value:
    if atom.type in ("str", "int", "float", "bytes", "bool", "complex"):
        return Member(atom, name)
    if atom.type == shapes.JAX_DTYPE and name in _OF_JAX_DTYPE:
        return _OF_JAX_DTYPE[name]
    if atom.type in ("dtype", shapes.JAX_DTYPE):
        return STATIC_INT if name == "itemsize" else STATIC
    return Member(atom, name)


#: What dtypes of objects and records have besides, in all others.
_OF_JAX_DTYPE: Final = {"names": NONE, "fields": NONE, "hasobject": FALSE}


def _super(it: Interpreter, atom: Super, name: str, at: int) -> Value:
    return classes.super_attribute(it, atom, name, at)


_ACCESS: dict[type, Any] = {
    Qualified: _qualified,
    ModuleValue: _module,
    Array: _array,
    Leaves: _leaves,
    Key: _key,
    Tuple: _tuple,
    Object: _object,
    ClassValue: _class,
    Unknown: _unknown,
    Made: _made,
    Partial: _partial,
    BoundMethod: _bound,
    FunctionValue: _function,
    Ref: _ref,
    Static: _static,
    Super: _super,
}
