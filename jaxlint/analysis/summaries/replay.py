"""A call is not interpreted, but replayed from the summary of one like it: key uses happen here, names are renamed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.idents import (
    Again,
    AttributeOf,
    Constant,
    FieldOf,
    Fresh,
    Ident,
    Index,
    Item,
    OfFailure,
    Part,
    Row,
    made_at,
)
from jaxlint.analysis.domain.state import KeyUse, Step
from jaxlint.analysis.domain.values import (
    Array,
    BoundMethod,
    DictCell,
    FunctionValue,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    ListCell,
    Made,
    Object,
    Origin,
    Partial,
    Reason,
    SetCell,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.summaries.signatures import Contents, Identified
from jaxlint.analysis.summaries.summary import Summary
from jaxlint.analysis.typestate import keys, timing

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def replay(it: Interpreter, summary: Summary, given: Sequence[Identified], at: int) -> Value | None:
    """The summary's result for arguments that differ in identity alone; its key uses happen here, at the call.

    None where it does not hold.
    """
    renaming = Renaming(it, summary, given)
    if not summary.recording.hold(it, renaming.ident):
        return None
    summary.recording.repeat(it, renaming.ident)
    assert summary.result is not None
    result = renaming.value(summary.result)  # keys in it have names from here on
    renaming.set_up()
    number = it.fresh()
    for idents, use in summary.recording.uses:
        mine = [renaming.ident(ident) for ident in idents]
        if any(ident is None for ident in mine):
            continue
        here = _seen_from(it, use._replace(detail=renaming.detail(use.detail)), at, number)
        keys.record(it, mine, here, Operand(Unknown(), it.frame, at), summary.function)
    timing.repeat(it, summary.clock, summary.start, at)
    return result


def _seen_from(it: Interpreter, use: KeyUse, at: int, invocation: int) -> KeyUse:
    """The use as seen from the call that is replayed: one step further in, in an invocation never interpreted.

    The tests inside the call go along, told apart by the invocation: they exclude each other within it alone.
    """
    inner = Step(-invocation, use.chain[-1].path, use.chain[-1].at)
    chain = (*it.frame.chain(at), inner)
    inside = (c._replace(test=("replay", invocation, c.test)) for c in use.conditions)
    conditions = (*it.frame.all_conditions(), *inside)
    return use._replace(chain=chain, conditions=conditions, iteration=it.frame.all_iterations())


#: Arguments that come with evidence.
_WITH_ORIGIN = (Array, Leaves, Key, Contents)
#: An index that the call computed: another one each time.
_MADE_INSIDE = object()


class Renaming:
    """From the identities of a summary to those of a new call."""

    def __init__(self, it: Interpreter, summary: Summary, given: Sequence[Identified]) -> None:
        self.it, self.summary = it, summary
        self.oids: dict[int, Object] = {}
        self.mapping: dict[Ident, Ident] = {}
        self.origins: dict[int, Origin | None] = {}
        self.reasons: dict[Reason, Reason | None] = {}
        for old, new in zip(summary.given, given):
            self._pair(old, new)
        if summary.made is not None:  # one that is too large to be compared by its contents is the very same
            self.oids.setdefault(summary.made, Object(summary.made))
        if summary.origin is not None and it.frame.trace is not None:
            self.origins.setdefault(id(summary.origin), it.frame.trace.origin)

    def _pair(self, old: Identified, new: Identified) -> None:
        """An argument of the summary, and the one of the new call that takes its place: with its evidence."""
        self.mapping.setdefault(old.ident, new.ident)
        if isinstance(old, Contents) and isinstance(new, Contents):
            self.oids.setdefault(old.oid, Object(new.oid))
        if isinstance(old, Unknown) and isinstance(new, Unknown):
            if old.reason is not None:
                self.reasons.setdefault(old.reason, new.reason)
        elif isinstance(old, _WITH_ORIGIN) and isinstance(new, _WITH_ORIGIN) and old.origin is not None:
            self.origins.setdefault(id(old.origin), new.origin)

    def set_up(self) -> None:
        """The object that the call sets up becomes what the one of the summary became."""
        made = self.summary.made
        after = None if made is None else self.summary.cells.get(made)
        if after is not None and made is not None:
            mine = self.oids[made]
            before = self.it.held(mine.oid)
            self.it.update(mine, replace(self._cell(after), birth=before.birth))

    def ident(self, ident: Ident) -> Ident:
        """The new name of an identity; None for one made inside, which nobody else can have used."""
        renamed = self._renamed(ident)
        if renamed is not None:
            return renamed
        return None if made_at(ident) >= self.summary.start else ident

    def detail(self, detail: Index) -> Index:
        """What a key was folded with: a constant stays, a number made inside is another one this time."""
        index = self._index(detail)
        return Fresh(self.it.fresh()) if index is _MADE_INSIDE else index

    def _renamed(self, ident: Ident) -> Ident:
        if ident in self.mapping:
            return self.mapping[ident]
        match ident:
            case Row(base=base, serial=number):
                inner = self._renamed(base)
                if inner is None:
                    return None
                again = number if number < self.summary.start else self.it.fresh()
                return self.mapping.setdefault(ident, Row(inner, again))
            case AttributeOf(base=base) | FieldOf(base=base):
                inner = self._renamed(base)
                return None if inner is None else ident._replace(base=inner)
            case Item(base=base, which=index) | Part(base=base, taken=index):
                inner, renamed = self._renamed(base), self._index(index)
                return None if inner is None or renamed is _MADE_INSIDE else type(ident)(inner, renamed)
            case OfFailure():
                return ident  # nobody's
            case _:
                return None

    def _index(self, part: Index) -> Index:
        """An index or a name in an identity, by the identities of the new call."""
        if not isinstance(part, tuple) or isinstance(part, Constant):
            return part
        if type(part) is tuple:  # several
            parts = tuple(map(self._index, part))
            return _MADE_INSIDE if _MADE_INSIDE in parts else parts
        known = self._renamed(part)  # type: ignore[arg-type]  # an index that is no identity has no new name
        if known is None and made_at(part) >= self.summary.start:
            return _MADE_INSIDE
        return known or part

    def _fresh(self, ident: Ident) -> Ident:
        """An identity in the result: an argument's, an outer one, or a new one for what was made inside."""
        if ident is None:
            return None
        known = self.ident(ident)
        if known is None:
            known = self.mapping[ident] = Again(self.it.fresh(), ident)
        return known

    def value(self, value: Value) -> Value:  # noqa: PLR0911 - dispatches on the kinds of values
        """A value of the summary for the new call."""
        match value:
            case Array() | Leaves() | Key():
                return replace(value, ident=self._fresh(value.ident), origin=self._origin(value.origin))
            case Made():
                return replace(value, ident=self._fresh(value.ident), origin=self._origin(value.origin))
            case Unknown() if value.ident is not None or value.reason is not None:
                reason = None if value.reason is None else self.reasons.get(value.reason, value.reason)
                return Unknown(self._fresh(value.ident), reason)
            case Static() if value.ident is not None:
                return timing.read_again(self.it, value, self.summary.start)
            case Tuple():
                return Tuple(tuple(map(self.value, value.elements)), value.names, value.cls)
            case Iterable():
                born = None if value.birth is None else value.birth._replace(frame=self.it.frame.serial)
                return replace(value, element=self.value(value.element), birth=born)
            case Union():
                return Union(tuple(map(self.value, value.atoms)))  # type: ignore[arg-type]  # atoms become atoms
            case Object():
                return self._object(value)
            case BoundMethod():
                return BoundMethod(self.value(value.function), self.value(value.receiver))
            case Partial():
                keywords = {name: self.value(given) for name, given in value.keywords.items()}
                function, args = self.value(value.function), tuple(map(self.value, value.args))
                return Partial(function, args, keywords, self.it.fresh(), value.is_pytree)
            case FunctionValue() if value.made >= self.summary.start:
                return replace(value, made=self.it.fresh())
            case _:
                return value

    def _origin(self, origin: Origin | None) -> Origin | None:
        """The evidence with that of the new call's arguments in it."""
        if origin is None:
            return None
        if id(origin) in self.origins:
            return self.origins[id(origin)]
        parent = self._origin(origin.parent)
        return origin if parent is origin.parent else origin._replace(parent=parent)

    def _object(self, value: Object) -> Object:
        if value.oid in self.oids:
            return self.oids[value.oid]
        cell = self.summary.cells.get(value.oid)
        if cell is None:
            return value
        copy = self.oids[value.oid] = Object(self.it.fresh())
        self.it.frame.state.write(copy.oid, self._cell(cell))
        return copy

    def _cell(self, cell: Any) -> Any:
        """A cell of the summary for the new call: an object of this invocation, whatever made it the first time."""
        birth = cell.birth._replace(frame=self.it.frame.serial)
        match cell:
            case ListCell():
                exact = None if cell.elements is None else tuple(map(self.value, cell.elements))
                return ListCell(birth, exact, self.value(cell.element))
            case DictCell():
                items = {key: self.value(item) for key, item in cell.items.items()}
                return DictCell(birth, items, None if cell.rest is None else self.value(cell.rest))
            case SetCell():
                return SetCell(birth, self.value(cell.element))
            case InstanceCell():
                attributes = {name: self.value(item) for name, item in cell.attributes.items()}
                return replace(cell, birth=birth, attributes=attributes, ident=self._fresh(cell.ident))
            case _:
                return cell
