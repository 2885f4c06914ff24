"""Which operations dispatch JAX work, and which ones wait for it: the eager side of calls, methods and tests.

Over-approximates waiting: what is given a device array, or something unknown that may hold one, waits for it, unless it
is known to be JAX's own and to return at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.application import Application, underlying
from jaxlint.analysis.domain.idents import made_at
from jaxlint.analysis.domain.state import cell_values
from jaxlint.analysis.domain.timeline import Program
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    Iterable,
    Key,
    Leaves,
    Level,
    Member,
    Object,
    Qualified,
    Ref,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Update,
    Value,
    atoms_of,
)
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.typestate.timing import dispatched, waited
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.events.event import Operand
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import FunctionRow

#: Containers inside containers are looked into as deep as this.
MAX_DEPTH = 4


# --- what holds results


def holds_work(it: Interpreter, value: Value, depth: int = 0) -> bool:
    """Whether a value is, holds or may hold an array that JAX computes; what was there before the work does not."""
    return any(_atom_holds_work(it, atom, depth) for atom in atoms_of(value))


def _atom_holds_work(it: Interpreter, atom: Atom, depth: int) -> bool:
    match atom:
        case Array() | Leaves() | Key():
            return atom.level is not Level.HOST
        case Update() | Ref():
            return True
        case Unknown():
            clock = it.frame.state.clock
            return atom.ident is None or clock is None or not clock.is_waiting or made_at(atom.ident) > clock.oldest
        case Tuple(elements=elements):
            return any(holds_work(it, element, depth) for element in elements)
        case Iterable(element=element):
            return holds_work(it, element, depth)
        case Object():
            cell = it.held(atom.oid)
            return depth >= MAX_DEPTH or cell is None or any(holds_work(it, v, depth + 1) for v in cell_values(cell))
        case _:
            return False


def _is_device_array(value: Value) -> bool:
    return any(isinstance(atom, Array | Leaves | Key) and atom.level is not Level.HOST for atom in atoms_of(value))


def _is_plain(value: Value) -> bool:
    """Numbers, strings and tuples of them."""
    return all(
        isinstance(atom, Static) or (isinstance(atom, Tuple) and all(map(_is_plain, atom.elements)))
        for atom in atoms_of(value)
    )


# --- calls


class Counts(NamedTuple):
    """How many operations of JAX, and calls back to the host, there were until a moment."""

    operations: int
    host_calls: int


def counts(it: Interpreter) -> Counts:
    """The counts at this moment."""
    return Counts(it.facts.operations, it.facts.host_calls)


def transformed(it: Interpreter, application: Application, at: int, before: Counts, body_made: int = 0) -> None:
    """A transformed function was called, or a structured loop ran; `before` are the counts until then.

    A loop whose body was made anew, at `body_made`, is compiled anew.
    """
    row = application.row
    works = (
        row.level in ("traced", "mapped", "grad", "refs", "scope") and not row.is_abstract and row.result.head != "none"
    )
    if not works or it.frame.state.clock is None or _is_idle(it, application, before):
        return
    if it.frame.trace is None and returns_when_done(it, application):
        it.facts.operations += 1
        waited(it)
    else:
        is_new = application.passes == tuple(this.start for this in it.frame.passes) and application.frame is it.frame
        keeps = it.api.has(application.name, "keeps-programs")
        compiled = body_made or (application.made if is_new else 0)
        calls_host = it.facts.host_calls > before.host_calls
        dispatched(it, at, Program(compiled, keeps, calls_host, body_made))


def returns_when_done(it: Interpreter, application: Application) -> bool:
    """Whether a call of a transformed function returns when its work is done; one that maps such a function does so."""
    while application.row.level == "mapped" and isinstance(application.target, Transformed):
        application = application.target.application
    return it.api.has(application.name, "returns-when-done")


@dataclass(slots=True)
class _IdleFunctions(Table):
    """Whether a transformed function did nothing when it was first traced, by its address."""

    known: dict[int, bool] = field(default_factory=dict)


def _is_idle(it: Interpreter, application: Application, before: Counts) -> bool:
    """Whether a function does nothing, so that what it costs to call is all there is to measure: told the first time.

    Later calls are not interpreted again.
    """
    function = underlying(application.target)
    if function is None:
        return False
    return it.tables[_IdleFunctions].known.setdefault(id(function.function), it.facts.operations == before.operations)


def library_call(it: Interpreter, name: str, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """A library function was called, with this result."""
    row = it.api.function(name)
    if it.api.has(name, "waits"):
        waited(it)
    elif row is not None and it.api.transform(name) is None:
        _own(it, row, arguments, result, node)
    elif name.startswith(_SEEN) or name in _AT_ONCE or it.api.is_of(name, "core") or it.api.transform(name) is not None:
        return
    elif any(holds_work(it, value) for value in arguments.all()):
        waited(it)


def _own(it: Interpreter, row: FunctionRow, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """A function of JAX or of a library on top of it."""
    it.facts.operations += 1
    sized = row.size is not None and arguments.get(None, row.size) is None
    head, prepares = row.returns.head, it.api.has(row.name, "prepares")
    if sized or head in ("host", "none", "function") or (head == "unknown" and not prepares):
        if any(holds_work(it, value) for value in arguments.all()):
            waited(it)
    elif _is_device_array(result) and row.shape.head != "create" and not prepares:
        dispatched(it, node.at, is_light=not it.api.has(row.name, "heavy"))


#: Functions of Python whose own calls are seen one by one, and names of ours.
_SEEN = ("jaxlint.", "functools.", "itertools.")
#: Functions of Python that look at no element of what they are given.
_AT_ONCE = frozenset(
    f"builtins.{name}"
    for name in (
        "len", "isinstance", "issubclass", "type", "zip", "enumerate", "list", "tuple", "dict", "iter", "next",
        "getattr", "setattr", "hasattr", "delattr", "id", "callable", "reversed", "map", "filter", "super", "object",
        "slice", "vars", "dir", "locals", "globals", "sum", "abs", "property", "staticmethod", "classmethod",
    )
)  # fmt: skip


def opaque_call(it: Interpreter, callee: Atom | None, arguments: Arguments | None = None) -> None:
    """A call that cannot be seen into: it may wait for anything, unless it is Python's own or is given nothing."""
    it.facts.operations += 1
    if isinstance(callee, Qualified) and arguments is not None and not arguments.extra:
        if callee.name.partition(".")[0] in sys.stdlib_module_names or it.api.is_of(callee.name, "host"):
            if any(holds_work(it, value) for value in arguments.all()):
                waited(it)
            return
        if not it.api.is_of(callee.name, "core", "of-jax") and arguments.all() and all(map(_is_plain, arguments.all())):
            return
    waited(it, sure=False)


def method_call(it: Interpreter, callee: Member, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """A method of something that is no project object was called; those of unknown objects are opaque calls."""
    for atom in atoms_of(callee.receiver):
        match atom:
            case Array(level=Level.HOST) | Leaves(level=Level.HOST):
                if any(map(_is_device_array, arguments.all())):
                    waited(it)
            case Array() | Leaves() | Key():
                _array_method(it, atom, callee.name, result, node)
            case Update() if _is_device_array(result):
                dispatched(it, node.at, is_light=True)
            case Object() if callee.name in ("index", "remove", "count", "sort") and holds_work(it, atom):
                waited(it)
            case _:
                pass


def _array_method(it: Interpreter, receiver: Array | Leaves | Key, name: str, result: Value, node: ir.Expr) -> None:
    row = it.api.array_member(name)
    if row is None or name in ("copy_to_host_async", "delete", "devices", "is_deleted", "astype", "reshape"):
        return
    if name in ("block_until_ready", "is_ready") or row.returns.head in ("static", "host", "list", "none"):
        waited(it)
    elif isinstance(receiver, Array) and _is_device_array(result):
        dispatched(it, node.at, is_light=name != "dot")


# --- operators, tests and texts


def operator(it: Interpreter, op: str, result: Value, at: int) -> None:
    """An operator gave this result; beside products, it is too little work to be timed by itself."""
    if op == "@" and _is_device_array(result):
        dispatched(it, at)
    elif not isinstance(result, Static):
        it.facts.operations += 1


def looked_at(it: Interpreter, value: Value) -> None:
    """Python needs the value itself: as text, as an index, as a member of something."""
    if holds_work(it, value):
        waited(it)


def tested(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """The truth of a value is needed; one that is not known may have come from arrays that the test names."""
    clock = it.frame.state.clock
    if clock is None or not clock.is_waiting:
        return
    named = (it.peek(name) for name in _names(node))
    if _is_device_array(value) or any(found is not None and holds_work(it, found) for found in named):
        waited(it)


def _names(node: Any) -> Iterator[str]:
    """The names whose values a test looks at; calls in it speak for themselves."""
    match node:
        case ir.Name():
            yield node.id
        case ir.Call() | ir.Lambda():
            pass
        case ir.Attribute(attr="shape" | "ndim" | "dtype" | "size"):
            pass
        case ir.Comparison(rest=((("is" | "is not"), _),)):
            pass
        case tuple():
            for part in node:
                yield from _names(part)
        case _:
            pass


def indexed(it: Interpreter, base: Value, index: Sequence[Operand], node: ir.Subscript) -> None:
    """`base[index]`: an array as the index of a list, a bound or a mask is looked at before anything comes back."""
    for part, operand in zip(node.index, index):
        if _is_device_array(operand.value) and (
            isinstance(part, ir.Slice) or not _is_device_array(base) or _is_mask(operand.value)
        ):
            waited(it)


def _is_mask(value: Value) -> bool:
    return any(isinstance(atom, Array) and atom.dtype == "bool" for atom in atoms_of(value))
