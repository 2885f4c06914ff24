"""What is noted while a call is interpreted for its summary: uses of keys, and what was there before and mattered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.idents import (
    Again,
    AttributeOf,
    Given,
    HeapKey,
    Ident,
    OfObject,
    OfSelf,
    Version,
    made_at,
)
from jaxlint.analysis.domain.values import (
    BoundMethod,
    Cell,
    ClassValue,
    FunctionValue,
    InstanceCell,
    ModuleValue,
    Qualified,
    Value,
)
from jaxlint.analysis.machine.path_conditions import Outcomes, contradicts, is_lasting, youngest

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.state import KeyUse
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Names for these are not assigned again, or it makes no difference here.
CODE = frozenset({BoundMethod, ClassValue, FunctionValue, ModuleValue, Qualified})


@dataclass(slots=True, eq=False)
class Recording:
    """What one call did with keys, and what it rests on beside its arguments.

    That is names of other frames and heap entries that it read, all older than `start`, with what they were.
    `forgotten` are unknown objects whose contents the call may have changed, `changed` those known that it did change.
    `has_effect` says that it changed something else that was there before: no later call can do without it.
    `has_collective` says that it works along a named axis, `calls_host` that it calls back to the host. `tests` of what
    was there before came out so on the path.
    """

    start: int
    uses: list[tuple[tuple[Ident, ...], KeyUse]] = field(default_factory=list)
    names: dict[tuple[Frame, str], Value] = field(default_factory=dict)
    entries: dict[HeapKey, Any] = field(default_factory=dict)
    forgotten: dict[Ident, None] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    has_effect: bool = False
    has_collective: bool = False
    calls_host: bool = False
    tests: dict[Outcomes, tuple[bool, bool]] = field(default_factory=dict)

    def drop(self, cells: Mapping[int, Cell]) -> None:
        """Do not rest on these objects with these very cells: arguments, whose contents a signature compares."""
        for oid, cell in cells.items():
            if self.entries.get(oid) is cell:
                del self.entries[oid]

    def hold(self, it: Interpreter, rename: Callable[[Ident], Ident]) -> bool:
        """Whether a call would find what this one found."""
        if not all(owner.state.env.get(name) is value for (owner, name), value in self.names.items()):
            return False
        if not all(it.held(_renamed(key, rename)) is entry for key, entry in self.entries.items()):
            return False
        path = it.frame.all_conditions() if self.tests else ()
        return all(
            excluded == tuple(contradicts(side, path) for side in sides) for sides, excluded in self.tests.items()
        )

    def repeat(self, it: Interpreter, rename: Callable[[Ident], Ident]) -> None:
        """A call like this one happens inside those that are being recorded."""
        recordings = it.recordings
        for (owner, name), value in self.names.items():
            read_name(recordings, owner, name, value)
        for key, entry in self.entries.items():
            mine = _renamed(key, rename)
            read_entry(recordings, mine, mine if isinstance(mine, int) else made_at(mine[0]), entry)
        for ident in self.forgotten:
            forget(it, rename(ident))
        if self.has_collective:
            note_collective(it)
        if self.calls_host:
            note_host_call(it)
        for recording in recordings:
            recording.tests.update(self.tests)


def _renamed(key: HeapKey, rename: Callable[[Ident], Ident]) -> HeapKey:
    """A heap entry by the identities of another call; objects keep their numbers."""
    return key._replace(base=rename(key.base)) if isinstance(key, AttributeOf | Version | Given) else key


def may_change(owner: Frame, value: Value) -> bool:
    """Whether a name of this frame may hold another value later: cells of a notebook define functions again."""
    return value.__class__ not in CODE or owner.module.source.layout is not None


def read_name(recordings: Sequence[Recording], owner: Frame, name: str, value: Value) -> None:
    """A name of another frame was read: calls that are younger than that frame rest on it."""
    for recording in reversed(recordings):
        if owner.serial >= recording.start:
            return
        recording.names.setdefault((owner, name), value)


def read_entry(recordings: Sequence[Recording], key: HeapKey, serial: int, entry: Any) -> None:
    """A heap entry, of an object of this serial number, was read: calls that are younger rest on it."""
    for recording in reversed(recordings):
        if serial >= recording.start:
            return
        recording.entries.setdefault(key, entry)


def change(recordings: Sequence[Recording], serial: int, oid: int | None = None) -> None:
    """Something made at this serial number, an object where `oid` is given, was changed: younger calls did that."""
    for recording in reversed(recordings):
        if serial >= recording.start:
            return
        if oid is None:
            recording.has_effect = True
        else:
            recording.changed.add(oid)


def contents_of(it: Interpreter, cell: InstanceCell) -> Ident:
    """The identity of the contents of an object from outside that an annotation tells the class of.

    It is the one of an unknown object: another function sees the same object without the annotation.
    """
    if not cell.open or cell.level is not None or cell.ident is None or isinstance(cell.ident, OfObject | OfSelf):
        return None
    version = it.entry(Version(cell.ident))
    return cell.ident if version is None else Again(version, cell.ident)


def forget(it: Interpreter, ident: Ident) -> None:
    """The contents of an unknown object may have changed."""
    serial = made_at(ident)
    for recording in reversed(it.recordings):
        if serial >= recording.start:
            break
        recording.forgotten[ident] = None
    it.frame.state.write(Version(ident), it.fresh())


def sides_excluded(it: Interpreter, holding: Outcomes) -> tuple[bool, bool]:
    """Which sides of a test the path excludes; calls that are being recorded rest on it, if they found the test."""
    path = it.frame.all_conditions()
    excluded = (contradicts(holding.true, path), contradicts(holding.false, path))
    tests = [condition.test for condition in (*holding.true, *holding.false) if is_lasting(condition.test)]
    if tests and it.recordings:
        serial = max(map(youngest, tests))
        for recording in reversed(it.recordings):
            if serial >= recording.start:
                break
            recording.tests[holding] = excluded
    return excluded


def note_collective(it: Interpreter, *, of_numbers: bool = False) -> None:
    """Something works along a named axis here, or in a call that is replayed; of single numbers alone, perhaps."""
    it.facts.collectives += 1
    it.facts.tree_collectives += not of_numbers
    for recording in it.recordings:
        recording.has_collective = True


def note_host_call(it: Interpreter) -> None:
    """Code calls back to the host here, or in a call that is replayed."""
    it.facts.host_calls += 1
    for recording in it.recordings:
        recording.calls_host = True
