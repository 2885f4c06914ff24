"""What surely raises an exception of Python's own: calls, attributes and formats that do not suit a value.

Under-approximates: a value of which more is possible than is seen raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Level,
    ListCell,
    Object,
    Partial,
    Qualified,
    Static,
    Transformed,
    Tuple,
    Union,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.machine import ended_paths
from jaxlint.analysis.machine.run_facts import Subclasses
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import arity
from jaxlint.analysis.python.library_names import named_in
from jaxlint.analysis.source.stored_attributes import may_be_set
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import Arguments
    from jaxlint.analysis.machine.interpreter import Interpreter

# --- calls

#: What is said of a call that surely raises a TypeError.
REFUSED: Final = "a call with arguments that the function does not take"


def refuses(it: Interpreter, callee: Value, arguments: Arguments) -> bool:
    """Whether a call surely raises a TypeError, since no function that may be meant takes these arguments."""
    if callee.__class__ is Union:
        return all(_refuses(it, atom, arguments) for atom in atoms_of(callee))
    return callee.__class__ in _OF_PROJECT and _refuses(it, callee, arguments)


#: What may be a function of the project, with the parameters that its source shows.
_OF_PROJECT: Final = frozenset({FunctionValue, BoundMethod, Partial, Transformed})


def _refuses(it: Interpreter, callee: Value, arguments: Arguments) -> bool:
    function = callee
    while not isinstance(function, FunctionValue):
        match function:
            case BoundMethod(function=inner) | Partial(function=inner):
                function = inner
            case Transformed(application=application) if it.api.has(application.name, "keeps-signature"):
                function = application.target
            case _:
                return False
    decorators = function.function.decorators
    keeps = all(_keeps_signature(it, function, decorator) for decorator in decorators)
    return keeps and not arity.accepts(callee, arguments)


def _keeps_signature(it: Interpreter, function: FunctionValue, decorator: ir.Expr) -> bool:
    """Whether a decorator leaves a function with the parameters that it has."""
    node: ir.Expr = decorator
    if isinstance(node, ir.Name) and node.id in ("staticmethod", "classmethod"):
        return True
    name = named_in(it, function, node)
    if isinstance(node, ir.Call):
        name = named_in(it, function, node.func)
        if name == "functools.partial" and node.args:
            name = named_in(it, function, node.args[0])
    return bool(name) and it.api.has(name, "keeps-signature")


# --- attributes


def lacks(it: Interpreter, value: Value, name: str) -> bool:
    """Whether reading an attribute surely raises an AttributeError, whatever of its atoms the value is."""
    if name.startswith("__"):
        return False
    return all(_lacks(it, atom, name) for atom in atoms_of(value))


def _lacks(it: Interpreter, atom: Atom, name: str) -> bool:
    match atom:
        case Tuple(cls=None, names=()):
            return name in _OF_ARRAYS or name in _OF_LISTS
        case Static(type="str"):
            return name in _OF_ARRAYS or name in _OF_LISTS
        case Array(assumed=False, level=level) if level is not Level.HOST:
            return name in _OF_LISTS or name in _OF_TORCH
        case Object():
            return _lacks_in_cell(it, atom, name)
        case _:
            return False


def _lacks_in_cell(it: Interpreter, atom: Object, name: str) -> bool:
    match it.cell(atom):
        case ListCell():
            return name in _OF_ARRAYS
        case DictCell():
            return name in _OF_ARRAYS
        case InstanceCell(cls=cls, attributes=attributes, open=is_open):
            return name not in attributes and _have_not(it, cls, name, is_open)
        case _:
            return False


#: Attributes of arrays that no container of Python has, and that nobody calls a field of a record.
_OF_ARRAYS = frozenset(
    {"shape", "dtype", "ndim", "item", "astype", "reshape", "tolist", "block_until_ready", "squeeze"}
)
_OF_LISTS = frozenset({"append", "extend", "insert"})
_OF_TORCH = frozenset({"detach", "numpy", "cpu", "cuda", "backward", "unsqueeze", "requires_grad"})


def _have_not(it: Interpreter, cls: ClassValue, name: str, is_open: bool) -> bool:
    """Whether no object of a class has an attribute; an object that came from outside may be one of a class below."""
    classes = [cls, *(it.tables[Subclasses].below(cls) if is_open else ())]
    return all(_has_not(it, each, name) for each in classes) and not may_be_set(it, [*_with_bases(classes)], name)


def _with_bases(classes: list[ClassValue]) -> Iterator[ClassValue]:
    for cls in classes:
        yield cls
        yield from _with_bases([base for base in cls.bases if isinstance(base, ClassValue)])


def _has_not(it: Interpreter, cls: ClassValue, name: str) -> bool:
    known = _members(it, cls)
    return known is not None and name not in known and not (name.startswith("_") and _is_of_library(cls))


def _is_of_library(cls: ClassValue) -> bool:
    """Whether a class derives from one of a library, which may keep private attributes in its objects."""
    return any(isinstance(b, Qualified) or (isinstance(b, ClassValue) and _is_of_library(b)) for b in cls.bases)


@memoised
def _members(it: Interpreter, cls: ClassValue) -> frozenset[str] | None:
    """The attributes that a class and its bases define; None where not all are known."""
    if cls.cls.keywords or not _HOOKS.isdisjoint(cls.namespace) or _is_dynamic(cls):
        return None
    found = {*cls.namespace, *fields(cls), *_bound_in(cls.cls.body)}
    for base in (*cls.bases, *cls.decorators):
        known = _members(it, base) if isinstance(base, ClassValue) else _brought(it, base)
        if known is None:
            return None
        found |= known
    return frozenset(found)


def _brought(it: Interpreter, value: Value) -> frozenset[str] | None:
    while isinstance(value, Partial) and isinstance(value.function, Qualified):
        value = value.args[0] if value.function.name == "functools.partial" and value.args else value.function
    return it.api.class_members(value.name) if isinstance(value, Qualified) else None


#: What makes attributes that a class does not name, or hides those that it does.
_HOOKS = frozenset(
    {"__getattr__", "__getattribute__", "__slots__", "__new__", "__class_getitem__", "__init_subclass__"}
)


def _is_dynamic(cls: ClassValue) -> bool:
    """Whether the body of a class may bind names that are not written there."""
    own = [statement for statement in cls.cls.body if not isinstance(statement, ir.FunctionDefinition)]
    calls = (node.func for node in walks.nodes(tuple(own)) if isinstance(node, ir.Call))
    return any(walks.spelling(func) in ("locals", "vars", "exec", "eval") for func in calls) or any(
        isinstance(statement, ir.ImportStar) for statement in own
    )


def _bound_in(body: ir.Block) -> Iterator[str]:
    """The names that the statements of a class body bind on any path, and those of its methods."""
    for target in walks.assignment_targets(body):
        yield from walks.target_names(target)
    for statement in walks.statements(body):
        match statement:
            case ir.FunctionDefinition(function=found) | ir.ClassDefinition(cls=found):
                yield found.name
                for target in walks.assignment_targets(found.body):
                    yield from walks.target_names(target)
            case _:
                pass


# --- formats


def formatted(it: Interpreter, node: ir.FormattedValue, value: Value) -> None:
    """A part of an f-string is turned to text: the path ends where its value surely takes no such specification."""
    written = (part.value for part in node.spec if isinstance(part, ir.Constant))
    spec = "".join(part for part in written if isinstance(part, str))
    if spec and node.conversion is None and all(_refuses_format(it, atom, spec) for atom in atoms_of(value)):
        ended_paths.end(it, node.value.at, "a format that the value does not take")


def _refuses_format(it: Interpreter, atom: Atom, spec: str) -> bool:
    match atom:
        case Tuple(cls=None):
            return True
        case Static(type="str"):
            return spec[-1] in _NUMERIC
        case Static():
            return is_none(atom)
        case Array(assumed=False, level=Level.CONCRETE | Level.HOST | Level.ANY, shape=shape):
            return bool(shape)
        case Object():
            cell = it.cell(atom)
            if isinstance(cell, InstanceCell):
                return not cell.open and _formats_as_object(it, cell.cls)
            return isinstance(cell, ListCell | DictCell)
        case _:
            return False


_NUMERIC = frozenset("bcdeEfFgGnoxX%")


def _formats_as_object(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a class leaves it to `object` to format its objects, which takes no specification."""
    known = _members(it, cls)
    return known is not None and "__format__" not in known and cls.kind in ("", "dataclass", "pytree", "namedtuple")
