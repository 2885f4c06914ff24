"""What compiled code read from outside while it was traced: it is stale if it has changed when the code runs again.

A compiled function is kept by whoever holds it; the body of a scan, a branch of a cond or a checkpointed function is
kept by JAX, under the function object.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

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
    Partial,
    Qualified,
    Transformed,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source import test_context
from jaxlint.analysis.source.assignments import stores_in
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter


#: Values that are code: that a name for them is bound again makes no stale data.
CODE = (FunctionValue, ClassValue, ModuleValue, Qualified, Transformed, Partial, BoundMethod)


class Part(NamedTuple):
    """An attribute of an object or a class, or an item of a container: by serial number or class, and name or key."""

    holder: int | ClassValue
    which: Any


class _Read(NamedTuple):
    """A read at some time, and the part that was read; None where it is a name of the event's owner."""

    event: OuterRead
    part: Part | None
    time: int


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
        return _OuterReads(
            {kept: dict(reads) for kept, reads in self.by_program.items()}, dict(self.assigned), set(self.own)
        )


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


def keepers(it: Interpreter, owner: Frame) -> list[Hashable]:
    """What keeps the compiled functions around here that go on living when the owner's names change."""
    return [kept for _, kept in _kept(it, owner.serial) if not isinstance(kept, _Body) or _lives_with(kept, owner)]


def _lives_with(body: _Body, owner: Frame) -> bool:
    closure = body.function.closure
    return closure.kind == "module" or closure is owner


def _kept(it: Interpreter, serial: int) -> Iterator[tuple[Trace, Hashable]]:
    """The traces that something made at this serial number is outside of, and what keeps their programs."""
    trace = it.frame.trace
    crossed = () if trace is None else trace.crossed(serial)
    return ((each, each.kept_by) for each in crossed if each.kept_by is not None)


def note(it: Interpreter, kept: Sequence[Hashable], event: OuterRead) -> None:
    """Compiled functions read a name that nobody is seen to assign again so far."""
    for each in kept:
        it.tables[_OuterReads].add(each, _Read(event, None, it.fresh()))


def note_part(it: Interpreter, part: Part, made: int, value: Value | None, at: int) -> None:
    """Code reads a part of an object that was made at this serial number: traced code keeps what it finds."""
    if (
        it.frame.trace is None
        or it.frame.trace.is_uncalled
        or at < 0
        or value is None
        or any(isinstance(atom, CODE) for atom in atoms_of(value))
    ):
        return
    kept = [each for trace, each in _kept(it, made) if not it.api.has(trace.transform, "reads-attributes")]
    if not kept or not it.wants(OuterRead):
        return
    event = OuterRead(it.frame, at, "", Operand(value, it.frame, at), it.frame, None)
    for each in kept:
        it.tables[_OuterReads].add(each, _Read(event, part, it.fresh()))


def assigned(it: Interpreter, part: Part, at: int) -> None:
    """A part of an object gets another value."""
    table = it.tables[_OuterReads]
    if it.frame.trace is None:
        table.assigned[part] = (it.fresh(), it.place(at))
    else:
        table.own.add(part)


def called(it: Interpreter, kept: Hashable | None, at: int) -> None:
    """A kept function is called at `at`: what it read in an earlier call is stale if that has a new value."""
    reads = None if kept is None else it.tables[_OuterReads].by_program.get(kept)
    if not reads:
        return
    callers = {frame.serial for frame in it.frame.callers()}
    for event, part, time in list(reads.values()):
        is_known = part is not None or event.owner.serial in callers
        now = (event.owner.state.env.get(event.name) if part is None else _held(it, part)) if is_known else None
        then = atoms_of(event.value.value)
        if now is None or all(atom in then for atom in atoms_of(now)):
            continue  # at most narrowed by a test
        if part is None:
            stores = _stores_of(it, event.owner.body, event.name)
            last = max((s for s in stores if s < at), default=stores[-1] if stores else event.at)
            tell(it, event, Place(event.owner.path, last))
            continue
        when, place = it.tables[_OuterReads].assigned.get(part, (0, None))
        if when > time and part not in it.tables[_OuterReads].own:
            it.emit(replace(event, name=event.value.text, reassigned_at=place))


def _held(it: Interpreter, part: Part) -> Value | None:
    """What a part is now, as far as that is known."""
    if isinstance(part.holder, ClassValue):
        return part.holder.namespace.get(part.which)
    match it.held(part.holder):
        case InstanceCell(attributes=held):
            return held.get(part.which)
        case DictCell(items=items):
            return items.get(part.which)
        case ListCell(elements=elements) if elements is not None:
            return elements[part.which] if -len(elements) <= part.which < len(elements) else None
        case _:
            return None


def tell(it: Interpreter, event: OuterRead, place: Place) -> None:
    """Compiled code has an old value, unless it is only asserted: then that is what a test looks for."""
    if not test_context.is_only_asserted(it, event.owner.body, event.name):
        it.emit(replace(event, reassigned_at=place))


@memoised
def _stores_of(_: Interpreter, body: ir.Block, name: str) -> Sequence[int]:
    """Where the statements of one scope assign a name, in source order."""
    return [store for stored, store in stores_in(body) if stored == name]
