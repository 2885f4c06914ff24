"""Functions and objects made anew: what JAX takes for another one, since it tells functions apart by identity.

Under-approximates: what is made in code that the analysis does not see is never fresh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import short_name, underlying
from jaxlint.analysis.domain.identities import instance_ident
from jaxlint.analysis.domain.idents import ElementOf, OfObject
from jaxlint.analysis.domain.values import (
    Array,
    BoundMethod,
    ClassValue,
    FunctionValue,
    InstanceCell,
    Key,
    Leaves,
    Made,
    Member,
    Object,
    Partial,
    Transformed,
    atoms_of,
)
from jaxlint.analysis.machine.class_bases import open_ended
from jaxlint.analysis.python import class_hashes
from jaxlint.analysis.source import reaching_definitions
from jaxlint.syntax import ir, walks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.values import Value
from jaxlint.analysis.machine.interpreter import Interpreter


def fresh(  # noqa: PLR0911 - dispatches on the kinds of values
    it: Interpreter, value: Value, start: int, *, by_leaves: bool = False
) -> str:
    """What a value is if it was made after `start` and is equal to nothing made before; empty for all others.

    `by_leaves`: who compares takes it apart as a pytree before.
    """
    match value:
        case FunctionValue(made=made) if made >= start:
            return "a new lambda" if value.function.is_lambda else f"a new `{value.function.name}`"
        case Partial(made=made, is_pytree=True) if made >= start and by_leaves:
            parts = (value.function, *value.args, *value.keywords.values())
            return next(filter(None, (fresh(it, part, start, by_leaves=True) for part in parts)), "")
        case Partial(made=made) if made >= start:
            return "a new partial"
        case Transformed(application=application) if it.api.has(application.name, "equal-by-function"):
            return fresh(it, application.target, start, by_leaves=by_leaves)
        case Transformed(application=application) if application.made >= start:
            is_lasting = it.api.has(application.name, "keyed-by-function")
            return "" if is_lasting else f"a new result of `{short_name(application.name)}`"
        case BoundMethod(function=FunctionValue() as function) if fresh(it, value.receiver, start):
            return f"the method `{function.function.name}` of a new object"
        case Object(oid=oid) if oid >= start:
            cell = it.cell(value)
            if isinstance(cell, InstanceCell) and _is_made(it, value, cell) and _is_hashed_by_identity(it, cell.cls):
                return f"a new `{cell.cls.name}`"
    return ""


def _is_made(it: Interpreter, reference: Object, cell: InstanceCell) -> bool:
    """Whether code in sight made the object; others only stand for what annotations and containers tell of."""
    return isinstance(instance_ident(cell, reference), OfObject) and it.held(ElementOf(reference.oid)) is None


def bound_method(it: Interpreter, target: Value) -> str:
    """The name of the method that a value is, if that is a new object at each access; else empty."""
    match target:
        case BoundMethod(function=FunctionValue(function=function)):
            return function.name
        case Member(receiver=Made(cls=cls)) if it.api.has(cls, "holds-functions"):
            return ""
        case Member(receiver=Object() | Made(), name=name):
            return name
        case _:
            return ""


def _is_hashed_by_identity(it: Interpreter, cls: ClassValue) -> bool:
    """Whether all that could give instances a hash of their own is in sight, and nothing does."""
    if cls.kind not in ("", "dataclass") or open_ended(it, cls) or class_hashes.hashes_fields(cls):
        return False
    return not _defines(cls, "__hash__") and not _defines(cls, "__eq__") and not class_hashes.is_unhashable(cls)


def _defines(cls: ClassValue, name: str) -> bool:
    return name in cls.namespace or any(isinstance(base, ClassValue) and _defines(base, name) for base in cls.bases)


def mentioned(node: ir.Expr | None, value: Value, frame: Frame) -> frozenset[str]:
    """The names that the value of an expression hangs on: its own, and those that functions made here close over.

    A name that the loops around assign from something else stands for the names in that.
    """
    function = underlying(value)
    parts: list[object] = [] if node is None else [node]
    own: frozenset[str] = frozenset()
    if function is not None and function.closure is frame:
        parts.append(function.function.body)
        own = frozenset(parameter.name for parameter in function.function.parameters)
    return _expanded({part.id for part in walks.nodes(tuple(parts)) if isinstance(part, ir.Name)} - own, frame)


def _expanded(names: set[str], frame: Frame) -> frozenset[str]:
    waiting, found = list(names), set(names)
    while waiting:
        name = waiting.pop()
        for this in frame.passes:
            for binding in reaching_definitions.bindings(this.body, name):
                more = {part.id for part in walks.nodes(binding.value) if isinstance(part, ir.Name)} - found
                waiting += more
                found |= more
    return frozenset(found)


def is_meant(frame: Frame, names: frozenset[str]) -> bool:
    """Whether what hangs on these names is another thing for each thing that a loop goes over, and not for its data."""
    targets = {name for this in frame.passes if this.target is not None for name in target_names(this.target)}
    values = (frame.state.env.get(name) for name in targets & names)
    return any(value is not None and not _is_data(value) for value in values)


def _is_data(value: Value) -> bool:
    return all(isinstance(atom, Array | Leaves | Key) for atom in atoms_of(value))
