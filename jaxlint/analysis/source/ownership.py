"""Whose an object is that traced code changes: its own, its caller's argument, `self`, or something outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.identities import given_attribute
from jaxlint.analysis.domain.values import (
    Birth,
    DictCell,
    InstanceCell,
    Iterable,
    ListCell,
    Object,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter


def role_of(it: Interpreter, receiver: Value, node: ir.Expr, birth: Birth | None) -> str:
    """One of local, argument (of the traced function), self, captured and unknown; local outside any trace."""
    frame = it.frame
    trace = frame.trace
    if trace is None or _collects_keywords(frame, node):
        return "local"
    entry = entry_frame(frame, trace)
    if birth is not None and birth.frame >= trace.entry:
        return "argument" if birth.frame == trace.entry else "local"
    name = root_name(node)
    found = None if name is None else it.find_binding(name)
    if name is None or found is None:
        return "unknown"
    owner = found[0]
    if owner.serial < trace.entry:
        return "captured" if not is_self(owner, name) else "self"
    if is_self(owner, name) and (birth is not None or owner is entry):
        return "self"
    if owner is entry and _names_parameter(owner, name):
        return "captured" if _is_default(owner, name, birth) else "argument"
    return "captured" if birth is not None else "unknown"


def entry_frame(frame: Frame, trace: Trace) -> Frame | None:
    """The frame with which a trace started."""
    found = None
    for caller in frame.callers():
        if caller.trace is trace:
            found = caller
        elif found is not None:
            break
    return found


def root_name(node: ir.Expr) -> str | None:
    """`x` of `x.a[0].b`."""
    while isinstance(node, ir.Attribute | ir.Subscript):
        node = node.base
    return node.id if isinstance(node, ir.Name) else None


def _names_parameter(frame: Frame, name: str) -> bool:
    return frame.function is not None and any(p.name == name for p in frame.function.parameters)


def _collects_keywords(frame: Frame, node: ir.Expr) -> bool:
    """Whether a name is `**kwargs` of the function: a dict that Python makes for each call."""
    parameters = () if frame.function is None else frame.function.parameters
    return isinstance(node, ir.Name) and any(
        p.name == node.id and p.kind is ir.ParameterKind.VAR_KEYWORD for p in parameters
    )


def _is_default(frame: Frame, name: str, birth: Birth | None) -> bool:
    """Whether an object is the default of a parameter: made with the function, and the same in each call."""
    defaults = () if frame.function is None else (p.default for p in frame.function.parameters if p.name == name)
    return birth is not None and any(default is not None and default.at == birth.at for default in defaults)


def is_self(frame: Frame, name: str) -> bool:
    """Whether a name is the first parameter of a method, which gets the object."""
    if frame.cls is None or frame.function is None or not frame.function.parameters:
        return False
    if any(isinstance(node, ir.Name) and node.id == "staticmethod" for node in frame.function.decorators):
        return False
    return frame.function.parameters[0].name == name


def read_later(it: Interpreter, node: ir.Expr, receiver: Value) -> bool:
    """Whether traced code goes on using what it changed at `node`, by whatever name: then the change has a purpose.

    That is the function itself or one that called it, up to the one that is traced: each has names of its own for the
    object, and for what holds it.
    """
    name, frame = root_name(node), it.frame
    if name is None or frame.function is None:
        return False
    end = max([node.at, *(walks.ordinals(statement_of(frame.function.body, node.at)))])
    held = frame.state.env.get(name)
    names = {other for other, value in frame.state.env.items() if value is held} | {name}
    if not names.isdisjoint(walks.names_after(frame.function.body, end)):
        return True
    changed = frozenset(atom.oid for atom in atoms_of(receiver) if isinstance(atom, Object))
    return bool(changed) and any(
        _goes_on(it, this, after, changed) for this, after in [(frame, end), *_calls_within_trace(frame)]
    )


def _calls_within_trace(frame: Frame) -> Iterator[tuple[Frame, int]]:
    """The callers of a frame inside its trace, each with the last ordinal of the call."""
    caller = frame.caller
    while caller is not None and caller.trace is frame.trace:
        if caller.function is not None:
            calls = (node for node in walks.nodes(caller.body) if getattr(node, "at", None) == frame.call_at)
            yield caller, max((end for call in calls for end in walks.ordinals(call)), default=frame.call_at)
        frame, caller = caller, caller.caller


def _goes_on(it: Interpreter, frame: Frame, end: int, changed: frozenset[int]) -> bool:
    """Whether a name that stands behind an ordinal holds one of these objects."""
    env = frame.state.env
    later = (env[name] for name in walks.names_after(frame.body, end) if name in env)
    return any(_holds(it, value, changed, set()) for value in later)


def _holds(it: Interpreter, value: Value, wanted: frozenset[int], seen: set[int]) -> bool:
    """Whether a value is one of these objects, or has one of them inside."""
    parts: list[Value] = []
    for atom in atoms_of(value):
        if isinstance(atom, Tuple):
            parts += atom.elements
        elif isinstance(atom, Iterable):
            parts.append(atom.element)
        elif isinstance(atom, Object) and atom.oid not in seen:
            if atom.oid in wanted:
                return True
            seen.add(atom.oid)
            parts += _contents(it, atom)
    return any(_holds(it, part, wanted, seen) for part in parts)


def _contents(it: Interpreter, reference: Object) -> Iterator[Value]:
    """What an object holds; its fields may be known by their annotations alone."""
    match it.cell(reference):
        case ListCell(elements=elements, element=element):
            yield from (element,) if elements is None else elements
        case DictCell(items=items, rest=rest):
            yield from items.values()
            if rest is not None:
                yield rest
        case InstanceCell() as cell:
            yield from cell.attributes.values()
            given = (it.entry(given_attribute(cell, reference, name)) for name in class_fields.fields(cell.cls))
            yield from (value for value in given if value is not None)
        case _:
            return


def statement_of(body: Any, at: int) -> Any:
    """The innermost simple statement that holds an ordinal."""
    for statement in reversed(body):
        held = list(walks.ordinals(statement))
        if held and min(held) <= at <= max(held):
            blocks = (
                [s for s in part if isinstance(s, _STATEMENTS)] for part in statement[::-1] if isinstance(part, tuple)
            )
            inner = (statement_of(block, at) for block in blocks)
            return next((found for found in inner if found is not None), statement)
    return None


_STATEMENTS = (
    ir.ExpressionStatement, ir.Assign, ir.AnnotatedAssign, ir.AugmentedAssign, ir.Return, ir.If, ir.While, ir.For,
    ir.With, ir.Try, ir.Match,
)  # fmt: skip
