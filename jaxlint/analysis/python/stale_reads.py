"""What compiled code read from outside while it was traced: it is stale if it has changed when the code runs again.

A compiled function is kept by whoever holds it; the body of a scan, a branch of a cond or a checkpointed function is
kept by JAX, under the function object.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import (
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    ListCell,
    ModuleValue,
    Object,
    Partial,
    Qualified,
    Static,
    Transformed,
    Tuple,
    Value,
    atoms_of,
    constant,
)
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source import test_context
from jaxlint.analysis.source.assignments import stores_in
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter


#: Values that are code: that a name for them is bound again makes no stale data.
CODE = (FunctionValue, ClassValue, ModuleValue, Qualified, Transformed, Partial, BoundMethod)


class Part(NamedTuple):
    """An attribute of an object or a class, or an item of a container: by serial number or class, and name or key."""

    holder: int | ClassValue
    which: Any


class Whole(NamedTuple):
    """In the place of a name or a key: all that a walk over a container meets."""

    kind: Literal["whole"] = "whole"


class Count(NamedTuple):
    """In the place of a name or a key: how many elements a container holds."""

    kind: Literal["count"] = "count"


class Truth(NamedTuple):
    """In the place of a name or a key: whether a container holds anything."""

    kind: Literal["truth"] = "truth"


class Membership(NamedTuple):
    """In the place of a name or a key: whether a container holds this one."""

    key: Any
    kind: Literal["membership"] = "membership"


class All(NamedTuple):
    """In the place of a name or a key: each of them, where a method changes a container."""

    kind: Literal["all"] = "all"


_WHOLE = Whole()
_ALL = All()
_OF_CONTAINERS = (Whole, Count, Truth, Membership)


class _Read(NamedTuple):
    """A read at some time, and the part that was read; None where it is a name of the event's owner."""

    event: OuterRead
    part: Part | None
    time: int
    start: int = 0  # when the function was entered, of which no call is known, that led there
    given: tuple[str, int] | None = None  # the function that reads, if the program is given it


@dataclass(slots=True)
class _OuterReads(Table):
    """What compiled functions read from outside, by what keeps them; when and where parts were last assigned.

    Of parts that traced code assigns itself, which are in `own`, other rules speak.
    """

    by_program: dict[Hashable, dict[Hashable, _Read]] = field(default_factory=dict)
    assigned: dict[Part, tuple[int, Place]] = field(default_factory=dict)
    own: set[Part] = field(default_factory=set)

    def add(self, program: Hashable, read: _Read) -> None:
        """Note a read of a function that is kept."""
        what = read.event.name if read.part is None else read.part
        self.by_program.setdefault(program, {}).setdefault((what, read.event.frame.path, read.event.at), read)

    def fork(self) -> _OuterReads:
        """The same with reads of its own."""
        reads = {kept: dict(reads) for kept, reads in self.by_program.items()}
        return _OuterReads(reads, dict(self.assigned), set(self.own))


def keeper(it: Interpreter, name: str, target: Value, application: Application | None) -> Hashable | None:
    """What keeps the program that the transform `name` makes of a function; None where nothing does."""
    if application is not None and it.api.has(name, "keeps-programs"):
        return application
    if isinstance(target, FunctionValue) and it.api.has(name, "keeps-bodies"):
        return _Body(name, target)
    return None


class _Body(NamedTuple):
    """A function that JAX keeps the program of: another evaluation of its def makes another one."""

    transform: str
    function: FunctionValue


def keepers(it: Interpreter, owner: Frame, *, whoever: bool = False) -> list[Hashable]:
    """What keeps the compiled functions around here that go on living when the owner's names change, or any."""
    found = (kept for _, kept in _kept(it, owner.serial))
    return [kept for kept in found if whoever or not isinstance(kept, _Body) or _lives_with(kept, owner)]


def _lives_with(body: _Body, owner: Frame) -> bool:
    closure = body.function.closure
    return closure.kind == "module" or closure is owner


def _kept(it: Interpreter, serial: int) -> Iterator[tuple[Trace, Hashable]]:
    """The traces that something made at this serial number is outside of, and what keeps their programs."""
    trace = it.frame.trace
    crossed = () if trace is None else trace.crossed(serial)
    return ((each, each.kept_by) for each in crossed if each.kept_by is not None)


def note(it: Interpreter, event: OuterRead) -> None:
    """Compiled functions read a name that nobody is seen to assign again so far."""
    readers = (frame for frame in it.frame.scopes() if frame.closure is event.owner and frame.function is not None)
    reader = next(((frame.path, frame.function.at) for frame in readers if frame.function is not None), None)
    for trace, each in _kept(it, event.owner.serial):
        given = reader if reader in _given_functions(trace) else None
        it.tables[_OuterReads].add(each, _Read(event, None, it.fresh(), given=given))


def functions_in(values: Iterable[Value]) -> frozenset[tuple[str, int]]:
    """Where the functions are defined that are among these values, or in tuples."""
    atoms = [atom for value in values for atom in atoms_of(value)]
    own = frozenset((atom.module.path, atom.function.at) for atom in atoms if isinstance(atom, FunctionValue))
    inner = [part for atom in atoms for part in _held_in(atom)]
    return own | functions_in(inner) if inner else own


def _held_in(atom: Value) -> tuple[Value, ...]:
    if isinstance(atom, Tuple):
        return atom.elements
    return (atom.function,) if isinstance(atom, Partial) else ()


def _given_functions(trace: Trace | None) -> frozenset[tuple[str, int]]:
    """The functions that the arguments of a trace hold, or those of one around it, which makes the inner ones anew."""
    return frozenset() if trace is None else trace.given_functions | _given_functions(trace.parent)


def note_part(it: Interpreter, part: Part, made: int, value: Value | None, at: int) -> None:
    """Code reads a part of an object that was made at this serial number: traced code keeps what it finds."""
    if (
        it.frame.trace is None
        or not it.frame.trace.is_called
        or at < 0
        or value is None
        or any(isinstance(atom, CODE) for atom in atoms_of(value))
    ):
        return
    static = static_parameter(it, part.holder)
    kept = [each for trace, each in _kept(it, made) if static or not it.api.has(trace.transform, "reads-attributes")]
    if not kept or not it.wants(OuterRead):
        return
    event = OuterRead(it.frame, at, "", Operand(value, it.frame, at), it.frame, None, static_parameter=static)
    for each in kept:
        it.tables[_OuterReads].add(each, _Read(event, part, it.fresh(), _start(it)))


def static_parameter(it: Interpreter, holder: int | ClassValue) -> str:
    """The static parameter of a trace around that holds an object; empty where none does."""
    trace = it.frame.trace
    while trace is not None and isinstance(holder, int):
        if holder in trace.static_objects:
            return trace.static_objects[holder]
        trace = trace.parent
    return ""


def _start(it: Interpreter) -> int:
    """When the outermost function that is being looked at was entered; 0 for the code of a module."""
    *_, outermost = it.frame.callers()
    return 0 if outermost.kind == "module" else outermost.serial


def note_contents(it: Interpreter, value: Value, at: int) -> None:
    """Code goes through a container."""
    _note_container(it, value, _WHOLE, at)


def note_count(it: Interpreter, value: Value, at: int) -> None:
    """Code counts what is in a container."""
    _note_container(it, value, Count(), at)


def note_truth(it: Interpreter, value: Value, at: int) -> None:
    """Code asks whether a container is empty."""
    _note_container(it, value, Truth(), at)


def note_asked(it: Interpreter, value: Value, key: Value, at: int) -> None:
    """Code asks whether a container holds a key."""
    if isinstance(key, Static) and isinstance(key.value, str | int):
        _note_container(it, value, Membership(key.value), at)


def _note_container(it: Interpreter, value: Value, which: Whole | Count | Truth | Membership, at: int) -> None:
    if it.frame.trace is None:
        return
    for atom in atoms_of(value):
        cell = it.cell(atom) if isinstance(atom, Object) else None
        if isinstance(atom, Object) and isinstance(cell, ListCell | DictCell):
            note_part(it, Part(atom.oid, which), cell.birth.frame, _contents(cell, which), at)


def assigned(it: Interpreter, part: Part, at: int) -> None:
    """A part of an object gets another value."""
    table = it.tables[_OuterReads]
    changed = {part, Part(part.holder, _WHOLE)}
    if it.frame.trace is None:
        table.assigned.update(dict.fromkeys(changed, (it.fresh(), it.place(at))))
    else:
        table.own |= changed


def changed(it: Interpreter, container: Object, at: int) -> None:
    """A method changes what a container holds."""
    assigned(it, Part(container.oid, _ALL), at)


def called(it: Interpreter, trace: Trace | None, at: int) -> None:
    """A function that is traced is called at `at`: what it read in an earlier call is stale if that has a new value.

    A call in a trace that nobody starts is none.
    """
    kept = None if trace is None else trace.kept_by
    reads = None if kept is None else it.tables[_OuterReads].by_program.get(kept)
    if not reads or (it.frame.trace is not None and not it.frame.trace.is_called):
        return
    callers = {frame.serial for frame in it.frame.callers()}
    for event, part, time, start, given in list(reads.values()):
        if part is not None and isinstance(part.which, _OF_CONTAINERS) and start not in (0, _start(it)):
            continue  # that another function of which no call is known made it grow is no change between two calls
        if part is None and not _may_change(it, event, kept):
            continue
        is_known = part is not None or event.owner.serial in callers
        now = (event.owner.state.env.get(event.name) if part is None else _held(it, part)) if is_known else None
        then = atoms_of(event.value.value)
        if now is None or all(atom in then for atom in atoms_of(now)):
            continue  # at most narrowed by a test
        if given is not None and (given not in _given_functions(trace) or _is_renewed(it, event, given[1], at)):
            continue  # that is another program
        if part is None:
            is_seen = not _is_made_alike(it, event.owner, event.name, at)
            tell(it, replace(event, is_seen=is_seen), Place(event.owner.path, _assigned_at(it, event, kept, at)))
            continue
        when, place = _last_assigned(it, part)
        if when > time:
            it.emit(replace(event, name=event.value.text, reassigned_at=place))


def _may_change(it: Interpreter, event: OuterRead, kept: Hashable) -> bool:
    """Whether a scope may assign a name once what it keeps is made: until then, no program has an old value."""
    owner, made = event.owner, _made_at(kept, event.owner)
    if made is None or owner.function is None:
        return True
    stores = _stores_of(it, owner.body, event.name)
    return any(store > made for store in stores) or event.name in _nonlocals(it, owner.body)


def _assigned_at(it: Interpreter, event: OuterRead, kept: Hashable, call: int) -> int:
    """Where a scope assigns a name between two calls: in a loop, that may be behind the second one."""
    made, stores = _made_at(kept, event.owner), _stores_of(it, event.owner.body, event.name)
    later = [store for store in stores if made is None or store > made] or stores
    return max((store for store in later if store < call), default=later[-1] if later else event.at)


def _made_at(kept: Hashable, owner: Frame) -> int | None:
    """Where a scope makes what keeps a program; None where another one does."""
    match kept:
        case _Body(function=FunctionValue(function=function, closure=closure)) if closure is owner:
            return function.at
        case Application(frame=frame, at=at) if frame is owner:
            return at
        case _:
            return None


@memoised
def _nonlocals(_: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names that functions below assign in the scopes around them."""
    functions = (node for node in walks.nodes(body) if isinstance(node, ir.Function))
    return frozenset[str]().union(*(function.scope.nonlocals for function in functions))


def _last_assigned(it: Interpreter, part: Part) -> tuple[int, Place | None]:
    """When and where a part was last assigned, or the container that it is a part of was changed; never in a trace."""
    around = _WHOLE if isinstance(part.which, _OF_CONTAINERS) else _ALL
    table, parts = it.tables[_OuterReads], (part, Part(part.holder, around))
    return max((table.assigned[p] for p in parts if p in table.assigned and p not in table.own), default=(0, None))


def _held(it: Interpreter, part: Part) -> Value | None:
    """What a part is now, as far as that is known."""
    if isinstance(part.holder, ClassValue):
        return part.holder.namespace.get(part.which)
    match it.held(part.holder):
        case InstanceCell(attributes=held):
            return held.get(part.which)
        case ListCell() | DictCell() as cell if isinstance(part.which, _OF_CONTAINERS):
            return _contents(cell, part.which)
        case DictCell(items=items):
            return items.get(part.which)
        case ListCell(elements=elements) if elements is not None and isinstance(part.which, int):
            return elements[part.which] if -len(elements) <= part.which < len(elements) else None
        case _:
            return None


def _contents(cell: ListCell | DictCell, which: Whole | Count | Truth | Membership) -> Value | None:
    """What is in a container, how much that is, or whether a key is."""
    match cell:
        case DictCell(items=items, rest=None):
            elements: tuple[Value, ...] = tuple(map(constant, items))
        case ListCell(elements=tuple(elements)) if not isinstance(which, Membership):
            pass
        case _:
            return None
    match which:
        case Count():
            return constant(len(elements))
        case Truth():
            return constant(bool(elements))
        case Membership(key=key):
            return constant(constant(key) in elements)
        case _:
            return Tuple(elements)


def tell(it: Interpreter, event: OuterRead, place: Place) -> None:
    """Compiled code has an old value, unless it is only asserted: then that is what a test looks for."""
    if not test_context.is_only_asserted(it, event.owner, event.name):
        it.emit(replace(event, reassigned_at=place))


@memoised
def _stores_of(_: Interpreter, body: ir.Block, name: str) -> Sequence[int]:
    """Where the statements of one scope assign a name, in source order."""
    return [store for stored, store in stores_in(body) if stored == name]


def _is_made_alike(it: Interpreter, owner: Frame, name: str, call: int) -> bool:
    """Whether all that a name is before a call there, or in a loop around it, is the result of one and the same call.

    Perhaps it is the same each time, if no argument gets another value.
    """
    at = _within(it, owner, call)
    end = None if at is None else _loop_end(owner.body, at)
    stores = [store for store in _stores_of(it, owner.body, name) if end is None or store <= end]
    assigned = (node for node in walks.statements(owner.body) if isinstance(node, ir.Assign))
    values = [node.value for node in assigned if any(target.at in stores for target in node.targets)]
    calls = [value for value in values if isinstance(value, ir.Call) and value.args and _may_repeat(it, owner, value)]
    if not calls or not len(stores) == len(values) == len(calls):
        return False
    read = {node.id for node in walks.nodes(calls[0]) if isinstance(node, ir.Name)}
    is_fixed = all(_is_fixed(it, owner, each, end) for each in read)
    return is_fixed and len({owner.module.text(call.at) for call in calls}) == 1


def _within(it: Interpreter, owner: Frame, call: int) -> int | None:
    """Where a scope calls what leads to the call at hand."""
    calls_here = (frame.call_at for frame in it.frame.callers() if frame.caller is owner)
    return call if it.frame is owner else next(calls_here, None)


def _is_renewed(it: Interpreter, read: OuterRead, definition: int, call: int) -> bool:
    """Whether the loop around a call makes the function that reads a name anew in each pass, once the name is set."""
    at, body = _within(it, read.owner, call), read.owner.body
    loop = _loop_around(it, body, definition)
    if at is None or loop is None or not definition < at or at not in loop:
        return False
    stores = [store for store in _stores_of(it, body, read.name) if store in loop]
    return all(store < definition and _loop_around(it, body, store) == loop for store in stores)


@memoised
def _loop_around(_: Interpreter, body: ir.Block, at: int) -> Set[int] | None:
    """All that is in the innermost loop around a node; None where there is none."""
    loops = (node for node in walks.statements(body) if isinstance(node, ir.For | ir.While))
    around = [held for loop in loops if at in (held := set(walks.ordinals(loop)))]
    return min(around, key=len, default=None)


def _may_repeat(it: Interpreter, owner: Frame, call: ir.Call) -> bool:
    """Whether a call may give the same for the same arguments: of a function by its name, or of JAX."""
    callee = it.tables[Callees].by_call.get((owner.path, call.at))
    of_jax = isinstance(callee, Qualified) and it.api.is_of(callee.name, "core")
    return of_jax or isinstance(call.func, ir.Name)


def _is_fixed(it: Interpreter, owner: Frame, name: str, end: int | None) -> bool:
    """Whether a scope gives a name one value until then, or none at all where it is a parameter or from outside."""
    stores = [store for store in _stores_of(it, owner.body, name) if end is None or store <= end]
    parameters = () if owner.function is None else owner.function.parameters
    is_once = len(stores) == 1 and _loop_end(owner.body, stores[0]) == stores[0]
    return not stores or (is_once and all(parameter.name != name for parameter in parameters))


def _loop_end(body: ir.Block, at: int) -> int:
    """The last node of the outermost loop around a node; itself where there is none."""
    loops = (node for node in walks.statements(body) if isinstance(node, ir.For | ir.While) and node.at < at)
    ends = (max(walks.ordinals(loop)) for loop in loops)
    return next((end for end in ends if end >= at), at)
