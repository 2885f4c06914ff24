"""Of which classes a value may be an instance: what tests with `isinstance` and `callable` can tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.resolution_order import resolution_order
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Key,
    ListCell,
    Object,
    Partial,
    Qualified,
    SetCell,
    Static,
    Transformed,
    Tuple,
    Value,
)
from jaxlint.analysis.python import type_aliases, type_hints
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

PYTHON_CLASSES = frozenset(
    f"builtins.{name}" for name in ("int", "float", "bool", "complex", "str", "bytes", "type", "slice")
)


def is_number_class(it: Interpreter, name: str) -> bool:
    """Whether the instances of a class are Python's own values, or numbers of whatever kind: no tracer is one."""
    return name in PYTHON_CLASSES or it.api.instances(name) == "number"


def is_never_traced(it: Interpreter, name: str) -> bool:
    """Whether neither a tracer nor a tree of tracers is an instance of a class."""
    return is_number_class(it, name) or it.api.instances(name) == "host-array"


def is_never_array(it: Interpreter, name: str) -> bool:
    """Whether an array is no instance of a class of a library, which the name of that class would tell otherwise.

    A library may give JAX's own class out under another name; abstract classes of Python ask for methods alone.
    """
    row = it.api.annotation(name)
    if row is not None:
        return row.kind in ("static", "module") and not name.startswith("builtins.")
    is_told = it.api.library(name) is not None or "array" not in name.rpartition(".")[2].lower()
    return is_told and not name.startswith(_ABSTRACT) and type_hints.is_foreign_class(it, name)


_ABSTRACT = ("abc.", "collections.", "numbers.", "types.", "typing_extensions.")


def class_names(it: Interpreter, node: ir.Expr) -> frozenset[str]:
    """The qualified names of the classes in an isinstance test; empty where one is not a library's."""
    match node:
        case ir.SequenceDisplay():
            return _all_names([class_names(it, element) for element in node.elements])
        case ir.BinaryOperation(op="|"):
            return _all_names([class_names(it, node.left), class_names(it, node.right)])
        case _:
            return names_of(it.eval(node))


def some_names(it: Interpreter, node: ir.Expr) -> frozenset[str]:
    """The same, of those that are a library's: what is an instance of none of the classes is of none of these."""
    match node:
        case ir.SequenceDisplay(elements=parts):
            return frozenset[str]().union(*(some_names(it, part) for part in parts))
        case ir.BinaryOperation(op="|", left=left, right=right):
            return some_names(it, left) | some_names(it, right)
        case _:
            value = it.eval(node)
            each = value.elements if isinstance(value, Tuple) else (value,)
            return frozenset[str]().union(*map(names_of, each))


def names_of(value: Value) -> frozenset[str]:
    """The names of a library's class, or of a tuple of them."""
    if isinstance(value, Tuple):
        return _all_names([names_of(element) for element in value.elements])
    if isinstance(value, Qualified) and value.parts and value.name in type_aliases.UNIONS | type_aliases.TRANSPARENT:
        return _all_names([names_of(part) for part in type_aliases.alternatives(value)])
    return frozenset({value.name}) if isinstance(value, Qualified) else frozenset()


def _all_names(parts: list[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*parts) if all(parts) else frozenset()


def is_of_project(it: Interpreter, value: Value) -> bool:
    """A class of the project that decides nothing about its instances itself, and is no array of a library."""
    if not isinstance(value, ClassValue) or value.cls.keywords or "__subclasshook__" in value.namespace:
        return False
    bases = [base.name for base in value.bases if isinstance(base, Qualified)]
    return not any(it.api.instances(base) == "array" or base in _PROTOCOLS for base in bases)


def is_annotated_as(it: Interpreter, atom: Atom, classes: Value) -> bool:
    """Whether an object, of which nobody has seen the making, is said to be of a class of the project, or one of some.

    Some class that derives from that may be the object's own.
    """
    if isinstance(classes, Tuple):
        return any(is_annotated_as(it, atom, each) for each in classes.elements)
    cell = it.cell(atom) if isinstance(atom, Object) and isinstance(classes, ClassValue) else None
    return isinstance(cell, InstanceCell) and cell.open and classes in resolution_order(cell.cls)


def is_never_one_of(it: Interpreter, names: frozenset[str], atom: Atom) -> bool:
    """Whether an object was made by calling a class of the project that has none of these classes as a base."""
    cell = it.cell(atom) if isinstance(atom, Object) else None
    if not isinstance(cell, InstanceCell) or cell.open:
        return False
    return _has_known_bases(cell.cls) and all(_asks_for_a_base(it, name) for name in names)


def _has_known_bases(cls: ClassValue) -> bool:
    """Whether no class of a library stands behind a class of the project, but those that are bases of anything."""
    order = resolution_order(cls)
    bases = [base for each in order for base in each.bases if not isinstance(base, ClassValue)]
    return not any(each.cls.keywords or "__class__" in each.namespace for each in order) and all(
        isinstance(base, Qualified) and base.name in _ROOTS for base in bases
    )


def _asks_for_a_base(it: Interpreter, name: str) -> bool:
    """Whether only what derives from a class of a library is an instance of it, whatever methods it has."""
    if name.startswith(_ASKING_FOR_METHODS):
        return False
    row = it.api.annotation(name)
    if row is not None:
        return row.kind in _CLASSES or (row.kind == "container" and name.startswith("builtins."))
    return type_hints.is_foreign_class(it, name)


#: Kinds of annotations that are one class, no union and no test of what a tree holds.
_CLASSES: Final = frozenset({"array", "host-array", "key", "module", "optimizer", "ref", "static"})
_ASKING_FOR_METHODS: Final = (*_ABSTRACT, "contextlib.", "importlib.", "io.", "os.", "typing.")
_ROOTS: Final = frozenset({"abc.ABC", "builtins.object", "typing.Generic"})


#: Bases of classes that ask what an object has, and not what it was made of.
_PROTOCOLS: Final = frozenset({"typing.Protocol", "typing_extensions.Protocol"})


def is_no_plain_array(atom: Atom) -> bool:
    """Whether a value is neither an array nor a key, whatever it holds."""
    return not isinstance(atom, (Array, Key))


def may_be_one_of(it: Interpreter, names: frozenset[str], atom: Atom) -> bool:
    """Whether a value may be a container of one of these classes."""
    own = _own_class(it, atom)
    return is_no_plain_array(atom) and (own is None or own in names)


def may_be_another(it: Interpreter, names: frozenset[str], atom: Atom) -> bool:
    """Whether a value may be an instance of none of these classes."""
    own = _own_class(it, atom)
    return own is None or (own not in names and not (own == "builtins.bool" and "builtins.int" in names))


def may_be_called(it: Interpreter, atom: Atom) -> bool:
    """Whether a value may be a function, a class or another object that can be called."""
    return is_no_plain_array(atom) and _own_class(it, atom) in (None, _FUNCTION)


def may_be_data(it: Interpreter, atom: Atom) -> bool:
    """Whether a value may be something that cannot be called."""
    if isinstance(atom, ClassValue | Partial | Transformed):
        return False
    return _own_class(it, atom) != _FUNCTION


_CELLS: dict[type, str] = {ListCell: "list", DictCell: "dict", SetCell: "set"}
_FUNCTION: Final = "types.FunctionType"


def _own_class(it: Interpreter, atom: Atom) -> str | None:
    """The class of Python's own that a value is surely of; of its subclasses there are none with other names."""
    match atom:
        case Tuple():
            return "builtins.tuple"
        case Static(type=str(kind)) if kind == "NoneType" or f"builtins.{kind}" in PYTHON_CLASSES - {"builtins.type"}:
            return f"builtins.{kind}"
        case Object():
            own = _CELLS.get(type(it.cell(atom)))
            return None if own is None else f"builtins.{own}"
        case FunctionValue() | BoundMethod():
            return _FUNCTION
        case _:
            return None
