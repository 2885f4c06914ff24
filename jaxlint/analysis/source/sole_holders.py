"""Objects that nobody but a compiled function has: `f = jit(Model())`, after which no other code can change them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.state import cell_values
from jaxlint.analysis.domain.values import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Iterable,
    Member,
    ModuleValue,
    Object,
    Partial,
    Transformed,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.source.ownership import entry_frame

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Values that are looked at before an object counts as one that others have.
_MAX_SEEN: Final = 20_000


def is_held_by_program(it: Interpreter, trace: Trace, reference: Object) -> bool:
    """Whether an object that traced code reads was made in view, and is found in no name but through its program."""
    entry = entry_frame(it.frame, trace)
    cell = it.cell(reference)
    if entry is None or entry.caller is None or cell is None or trace.application is None:
        return False
    callers = list(entry.caller.callers())
    if any(caller.serial == cell.birth.frame and caller.is_open for caller in callers):
        return False  # what it was looked at with
    seen: set[Any] = set()
    for caller in callers:
        for value in _names(caller, seen):
            for atom in _reached(it, value, trace, seen):
                if atom is None or (isinstance(atom, Object) and atom.oid == reference.oid):
                    return False
    return True


def _names(frame: Frame | None, seen: set[Any]) -> Iterator[Value]:
    """What the names of a frame and those of the scopes around it hold."""
    for scope in () if frame is None else frame.scopes():
        if id(scope) not in seen:
            seen.add(id(scope))
            yield from list(scope.state.env.values())


def _reached(it: Interpreter, value: Value, trace: Trace, seen: set[Any]) -> Iterator[Value | None]:
    """All that is reached from a value, but for what the program of a trace holds; None where that is too much."""
    todo = [value]
    while todo:
        for atom in atoms_of(todo.pop()):
            key = ("object", atom.oid) if isinstance(atom, Object) else id(atom)
            if key in seen:
                continue
            seen.add(key)
            yield None if len(seen) > _MAX_SEEN else atom
            todo += _parts(it, atom, trace, seen)


def _parts(it: Interpreter, atom: Value, trace: Trace, seen: set[Any]) -> Iterator[Value]:
    match atom:
        case Object():
            yield from cell_values(it.cell(atom))
        case Tuple(elements=elements):
            yield from elements
        case Iterable(element=element):
            yield element
        case BoundMethod(function=function, receiver=receiver):
            yield from (function, receiver)
        case Member(receiver=receiver):
            yield receiver
        case Partial(function=function, args=args, keywords=keywords):
            yield from (function, *args, *keywords.values())
        case Transformed(application=application) if application is not trace.application:
            yield application.target
        case FunctionValue(closure=closure, defaults=defaults):
            yield from defaults.values()
            yield from _names(closure, seen)
        case ClassValue(namespace=namespace, bases=bases):
            yield from (*namespace.values(), *bases)
        case ModuleValue(module=module):
            yield from _names(module.frame, seen)
        case _:
            pass
