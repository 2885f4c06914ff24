"""Keys in the carry of a compiled loop: the first pass has those that the loop starts from, the next what it returned.

The body is interpreted once, with keys of its own. What it did with them it does with the keys that the loop starts
from, and, a pass later, with those that it returned in their place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.idents import AttributeOf, Constant, FieldOf, Ident, Item, Part
from jaxlint.analysis.domain.state import KeyUse, Step
from jaxlint.analysis.domain.values import (
    Atom,
    DictCell,
    InstanceCell,
    Key,
    Leaves,
    ListCell,
    Object,
    Tuple,
    Unknown,
    Value,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.typestate import keys

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Slot(NamedTuple):
    """A place in the carry that may hold a key: what the loop starts from there, and what the body gets."""

    path: tuple[object, ...]
    initial: Atom
    given: Ident


class Carry:
    """The carry of one loop, from before its body runs to after it."""

    def __init__(self, it: Interpreter, initial: Value, given: Value) -> None:
        self.it = it
        self.slots = {slot.given: slot for slot in _slots(it, initial, given, ())}

    def advance(self, returned: Value, trace: Trace, at: int) -> Value:
        """Note what the passes do with the keys, and give what comes out: the carry that the body returned.

        A key that the body returns as it got it is the one that the loop started from.
        """
        it, uses = self.it, self.it.frame.state.keys
        used = [(ident, root) for ident in uses if (root := _root(ident, self.slots)) is not None]
        if not used:
            return returned
        operand_at = at
        depth = len(it.frame.chain(at))
        for ident, root in used:
            slot = self.slots[root]
            initial = _moved(ident, root, getattr(slot.initial, "ident", None))
            next_ = self._next(returned, ident, slot)
            for use in tuple(uses[ident]):
                operand = Operand(slot.initial, it.frame, operand_at)
                if initial is not None:
                    keys.record(it, [initial], use, operand)
                if (
                    next_ is not None
                    and _is_same_each_pass(ident, root, use)
                    and not _is_told(trace, use, next_ == ident)
                ):
                    keys.record_later(it, next_, _a_pass_later(it, use, depth), operand, trace.body)
        return self._outside(returned, 0)

    def _next(self, returned: Value, ident: Ident, slot: _Slot) -> Ident:
        """The key that the next pass has where this one had `ident`."""
        steps = _steps(ident, slot.given)
        value: Value | None = returned
        for number, step in enumerate((*slot.path, *steps)):
            if isinstance(value, Key | Leaves | Unknown):
                inner: Ident = value.ident
                for accessor in (*slot.path, *steps)[number:]:
                    inner = accessor._replace(base=inner) if isinstance(accessor, _ACCESSORS) else None
                return inner
            value = None if value is None else _part(self.it, value, step)
        return value.ident if isinstance(value, Key | Leaves | Unknown) else None

    def _outside(self, value: Value, depth: int) -> Value:
        """The same value with the keys that the loop started from where the body returned what it got."""
        if isinstance(value, Tuple) and depth < MAX_NESTING:
            return replace(value, elements=tuple(self._outside(part, depth + 1) for part in value.elements))
        if isinstance(value, Key) and value.ident in self.slots:
            return replace(value, ident=getattr(self.slots[value.ident].initial, "ident", None))
        return value


_ACCESSORS = (AttributeOf, FieldOf, Item, Part)


def _slots(it: Interpreter, initial: Value, given: Value, path: tuple[object, ...]) -> Iterator[_Slot]:
    """The places of a carry, as it starts and as the body gets it, that may hold keys."""
    if len(path) > MAX_NESTING:
        return
    if isinstance(initial, Key | Unknown | Leaves) and isinstance(given, Key | Leaves | Unknown):
        if given.ident is not None and initial.ident != given.ident:
            yield _Slot(path, initial, given.ident)
        return
    for step, part in _parts(it, initial):
        inner = _part(it, given, step)
        if inner is not None:
            yield from _slots(it, part, inner, (*path, step))


def _parts(it: Interpreter, value: Value) -> Iterator[tuple[object, Value]]:
    """The values in a container, by position or by name."""
    if isinstance(value, Tuple):
        yield from enumerate(value.elements)
    elif isinstance(value, Object):
        match it.cell(value):
            case ListCell(elements=tuple(elements)):
                yield from enumerate(elements)
            case DictCell(items=parts) | InstanceCell(attributes=parts):
                yield from parts.items()
            case _:
                pass


def _part(it: Interpreter, value: Value, step: object) -> Value | None:
    """What a container holds at a position, under a name, or where an identity leads."""
    match step:
        case AttributeOf(name=name) | FieldOf(name=name):
            if isinstance(value, Tuple):
                step = value.names.index(name) if value.names is not None and name in value.names else name
            else:
                step = name
        case Item(which=Constant(value=index)) | Item(which=index):
            step = index
        case _:
            pass
    return next((part for name, part in _parts(it, value) if name == step), None)


def _root(ident: Ident, roots: dict[Ident, _Slot]) -> Ident:
    """The identity in the carry that `ident` was reached from, None where there is none."""
    while ident is not None:
        if ident in roots:
            return ident
        ident = ident.base if isinstance(ident, _ACCESSORS) else None
    return None


def _steps(ident: Ident, root: Ident) -> tuple[Ident, ...]:
    """How `ident` is reached from `root`, outermost first."""
    found: list[Ident] = []
    while ident != root and isinstance(ident, _ACCESSORS):
        found.append(ident)
        ident = ident.base
    return tuple(reversed(found))


def _moved(ident: Ident, root: Ident, other: Ident) -> Ident:
    """What `ident` is to `root`, of `other`; None where that is not known."""
    if other is None:
        return None
    for step in _steps(ident, root):
        assert isinstance(step, _ACCESSORS)
        other = step._replace(base=other)
    return other


def _is_same_each_pass(ident: Ident, root: Ident, use: KeyUse) -> bool:
    """Whether each pass does the very same with what stands there: with no index or number that changes on the way."""
    if use.action == "fold" and not isinstance(use.detail, Constant):
        return False
    indices = [step.which for step in _steps(ident, root) if isinstance(step, Item)]
    return all(isinstance(index, int | str) for index in indices)


def _is_told(trace: Trace, use: KeyUse, is_kept: bool) -> bool:
    """Whether the body itself splits a key and returns it: what it hands back is told where it does."""
    return is_kept and use.action == "split" and trace.body is not None and use.chain[-1].frame == trace.body.serial


def _a_pass_later(it: Interpreter, use: KeyUse, depth: int) -> KeyUse:
    """The use as the next pass makes it: in the same body, in calls from there that are never interpreted."""
    number = it.fresh()
    inner = (Step(-number, step.path, step.at) for step in use.chain[depth + 1 :])
    return use._replace(chain=(*use.chain[: depth + 1], *inner), iteration=(*use.iteration, number))
