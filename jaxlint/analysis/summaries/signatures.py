"""What calls must share for one summary to serve both: their arguments up to identity, and what is around them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from jaxlint.analysis.domain.identities import instance_ident
from jaxlint.analysis.domain.idents import Ident, OfFlag, OfObject, OfOperation, StartsAs
from jaxlint.analysis.domain.values import (
    Array,
    BoundMethod,
    Cell,
    DictCell,
    FunctionValue,
    InstanceCell,
    Key,
    Leaves,
    ListCell,
    Made,
    Object,
    Origin,
    Partial,
    Qualified,
    SetCell,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jaxlint.analysis.domain.values import Iterable as IterableValue
from jaxlint.analysis.machine.run_facts import FlattenedTrees
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.source.method_effects import INITIALIZERS
from jaxlint.analysis.typestate.timing import Readings

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Values that the objects in the arguments of a call are compared by; what lies behind must be the very same objects.
MAX_CONTENTS: Final = 16


class Contents(NamedTuple):
    """A mutable argument: which object it is, and what it holds at the call."""

    oid: int
    cell: Cell
    ident: Ident
    origin: Origin | None


#: What the arguments of a call are told apart by.
Identified: TypeAlias = "Array | Leaves | Key | Unknown | Static | Contents"


class Signature(NamedTuple):
    """A call up to identity. `given` is what its arguments are told apart by, each in the same place for equal keys.

    `made` is the object that the call sets up: it may be changed, since it is given.
    """

    key: Any
    given: Sequence[Identified]
    made: int | None = None


def signature_of(it: Interpreter, function: FunctionValue, env: dict[str, Value], trace: Trace | None) -> Signature:
    """The signature of a call that binds the parameters like this; `trace` is set where the call starts a trace."""
    comparison = _Comparison(it)
    parts = tuple(map(comparison.part, env.values()))
    frame = it.frame
    traced = None if trace is None else (
        trace.transform, trace.level, trace.ambient, trace.is_untaken, trace.is_hypothetical, trace.all_axes,
    )  # fmt: skip
    around = frame.trace
    outer = None if around is None else (
        around.level, around.runs_once, around.draws, around.is_hypothetical, around.all_axes,
    )  # fmt: skip
    timed = frame.state.clock is not None  # what happens before a clock is read is not noted
    code = (id(it.tables[KeptAlive].keep(function.function)), function.closure.serial)
    key = (code, frame.ambient, traced, outer, timed, frame.caveats, parts)
    return Signature(key, comparison.given, _made_by(it, function, env))


def _made_by(it: Interpreter, function: FunctionValue, env: Mapping[str, Value]) -> int | None:
    """The object that an initializer sets up, if it was made in the trace at hand."""
    if function.cls is None or function.function.name not in INITIALIZERS:
        return None
    receiver = next(iter(env.values()), None)
    if not isinstance(receiver, Object):
        return None
    cell = it.cell(receiver)
    if not isinstance(cell, InstanceCell) or cell.level is not None:
        return None
    around = it.frame.trace
    is_new = around is None or not any(around.crossed(cell.birth.frame))
    return receiver.oid if is_new else None


_Thing = TypeVar("_Thing")


@dataclass(slots=True)
class KeptAlive(Table):
    """What signatures know by its address: it stays alive, so that no other gets the same."""

    things: dict[int, Any] = field(default_factory=dict)

    def keep(self, thing: _Thing) -> _Thing:
        """The same thing."""
        self.things[id(thing)] = thing
        return thing


@dataclass(slots=True, eq=False)
class _Comparison:
    """Hashable forms of values: kinds and constants in full, identities by order of appearance."""

    it: Interpreter
    given: list[Identified] = field(default_factory=list)
    numbers: dict[Ident, int] = field(default_factory=dict)
    objects: dict[int, int] = field(default_factory=dict)
    room: int = MAX_CONTENTS

    def part(self, value: Value) -> Any:  # noqa: PLR0911 - dispatches on the kinds of values
        """The form of one value."""
        match value:
            case Static():
                constant = value.value if value.known and isinstance(value.value, Hashable) else "?"
                reading = value.ident if value.ident in self.it.tables[Readings].by_ident else None
                tested = _tested(value.ident)
                return ("static", value.type, constant, reading, tested, self._told_apart(value))
            case Array():
                known = (value.dtype, value.shape, value.weak, value.assumed, value.readonly, value.strong, value.axes)
                return ("array", value.level, known, self._told_apart(value))
            case Leaves():
                return ("leaves", value.level, value.assumed, value.element, self._told_apart(value))
            case Key():
                return ("key", value.level, value.shape, value.typed, self._told_apart(value))
            case Made():
                return ("made", value.cls, value.level, value.options, value.declared, self._told_apart(value))
            case Unknown():
                return ("unknown", isinstance(value.ident, OfOperation), self._told_apart(value))
            case Tuple():
                return ("tuple", value.names, self._parts(value.elements))
            case IterableValue():
                return ("iterable", value.kind, self.part(value.element))
            case Union():
                return ("union", self._parts(value.atoms))
            case Object():
                return self._object(value)
            case _:
                return self._code(value)

    def _code(self, value: Value) -> Any:
        """The form of what is called: the same code that sees the same names; when it was made does not matter."""
        match value:
            case Qualified():
                return ("name", value.name)
            case BoundMethod():
                return ("method", self.part(value.function), self.part(value.receiver))
            case Partial():
                given = (value.function, *value.args, *value.keywords.values())
                return ("partial", tuple(value.keywords), self._parts(given))
            case FunctionValue():
                function = self.it.tables[KeptAlive].keep(value)
                defaults = tuple(map(id, value.defaults.values()))
                return ("function", id(function.function), id(function.closure), function.binding, defaults)
            case _:
                return ("value", id(self.it.tables[KeptAlive].keep(value)))

    def _parts(self, values: Iterable[Value]) -> tuple[Any, ...]:
        return tuple(map(self.part, values))

    def _told_apart(self, value: Array | Leaves | Key | Unknown | Static) -> int:
        self.given.append(value)
        return self._number(value.ident)

    def _number(self, ident: Ident) -> int:
        return -1 if ident is None else self.numbers.setdefault(ident, len(self.numbers))

    def _object(self, value: Object) -> Any:
        """An object by its contents; by itself where there are too many, or where its leaves have a past."""
        if value.oid in self.objects:
            return ("again", self.objects[value.oid])
        cell = self.it.cell(value)
        if cell is None or _size(cell) > self.room or value.oid in self.it.tables[FlattenedTrees].of_leaves:
            return ("object", value.oid, id(self.it.tables[KeptAlive].keep(cell)))
        self.room -= _size(cell)
        self.objects[value.oid] = len(self.objects)
        if not isinstance(cell, InstanceCell):
            self.given.append(Contents(value.oid, cell, OfObject(value.oid), None))
            return self._container(cell)
        ident = instance_ident(cell, value)
        self.given.append(Contents(value.oid, cell, ident, cell.origin))
        known = (
            id(self.it.tables[KeptAlive].keep(cell.cls)),
            cell.level,
            cell.arrays,
            cell.open,
            tuple(cell.attributes),
        )
        return ("instance", known, self._number(ident), self._parts(cell.attributes.values()))

    def _container(self, cell: ListCell | DictCell | SetCell) -> Any:
        match cell:
            case ListCell(elements=None):
                return ("list", cell.birth.declared, cell.birth.claimed, self.part(cell.element))
            case ListCell():
                return ("elements", self._parts(cell.elements or ()))
            case DictCell():
                rest = None if cell.rest is None else self.part(cell.rest)
                return ("dict", cell.birth.claimed, tuple(cell.items), self._parts(cell.items.values()), rest)
            case SetCell():
                return ("set", cell.birth.claimed, self.part(cell.element))


def _tested(ident: Ident) -> object:
    """What a test sees of a value that is not known to anything else."""
    match ident:
        case OfFlag(default=default):
            return default
        case StartsAs(number=number):
            return (number,)
        case _:
            return None


def _size(cell: Cell) -> int:
    """How many values a cell holds."""
    match cell:
        case ListCell():
            return 1 + len(cell.elements or ())
        case DictCell():
            return 1 + len(cell.items)
        case InstanceCell():
            return 1 + len(cell.attributes)
        case _:
            return 1
