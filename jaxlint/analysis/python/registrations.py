"""Classes that the code registers as pytrees: `register_pytree_node(Cls, ...)`, `register_dataclass(Cls, ...)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.values import (
    NONE,
    Arguments,
    ClassValue,
    FunctionValue,
    ListCell,
    Object,
    Partial,
    Qualified,
    Static,
    Tuple,
    Unknown,
    Value,
)
from jaxlint.analysis.events.pytrees import BrokenRoundTrip
from jaxlint.analysis.machine.run_facts import PytreeRegistrations, SharedChanges
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def register(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`register_pytree_node(Cls, ...)` and its kin: the class is a pytree from here on."""
    value = arguments.get(0, "nodetype")
    if isinstance(value, ClassValue):
        it.tables[SharedChanges].of_class(value)
        value.kind = "pytree"
        meaning = it.api.meaning(name)
        if meaning is not None and meaning.first == "fields":
            value.auxiliary = frozenset(strings(it, arguments.get(2, "meta_fields") or NONE))
            _tell_unlisted(it, value, arguments, node)
            it.tables[PytreeRegistrations].as_fields[id(value)] = name
        else:
            flatten = arguments.get(1, "flatten_func") or arguments.get(1, "flatten_with_keys")
            value.flatten = flatten.function if isinstance(flatten, FunctionValue) else None
            unflatten = arguments.get(2, "unflatten_func")
            if isinstance(unflatten, FunctionValue):
                it.tables[PytreeRegistrations].unflatten[id(value)] = unflatten
        return value
    if isinstance(value, Unknown) and not any(frame.is_open for frame in it.frame.callers()):
        it.tables[PytreeRegistrations].of_unknown = True
    return Partial(Qualified(name), (), arguments.keywords) if arguments.keywords else NONE


def _tell_unlisted(it: Interpreter, cls: ClassValue, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules of a field of a dataclass that its registration leaves out, which raises."""
    lists = arguments.get(1, "data_fields"), arguments.get(2, "meta_fields")
    if None in lists or arguments.extra or arguments.get(3, "drop_fields") is not None or cls.bases:
        return
    if not it.wants(BrokenRoundTrip) or not all(_is_known(it, each) for each in lists if each is not None):
        return
    listed = {name for each in lists if each is not None for name in strings(it, each)}
    plain = [
        statement.target.id
        for statement in cls.cls.body
        if isinstance(statement, ir.AnnotatedAssign)
        and isinstance(statement.target, ir.Name)
        and not isinstance(statement.value, ir.Call)
    ]
    missing = next((name for name in plain if name in fields(cls) and name not in listed), None)
    if missing is not None:
        it.emit(BrokenRoundTrip(it.frame, node.at, cls.name, missing, "unlisted", "", it.place(node.at)))


def _is_known(it: Interpreter, value: Value) -> bool:
    """Whether all elements of a list or tuple are known strings."""
    elements = _elements(it, value)
    return elements is not None and all(isinstance(e, Static) and isinstance(e.value, str) for e in elements)


def strings(it: Interpreter, value: Value) -> Iterator[str]:
    """The strings in a list or tuple that is known."""
    return (e.value for e in _elements(it, value) or () if isinstance(e, Static) and isinstance(e.value, str))


def _elements(it: Interpreter, value: Value) -> tuple[Value, ...] | None:
    cell = it.cell(value) if isinstance(value, Object) else None
    return value.elements if isinstance(value, Tuple) else cell.elements if isinstance(cell, ListCell) else None
