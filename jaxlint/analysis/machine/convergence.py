"""When a loop is done: its head looks as it did a pass before, or what still changes is widened.

A pass starts from the state in which the one before ended. Identities are new in each pass, so states are compared by
what is known of their values: two passes from heads that look the same tell the rules the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    Cell,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Iterable,
    Key,
    ListCell,
    Made,
    Object,
    SetCell,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
)
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Passes through a loop that every loop gets: the second shows what the first one left behind.
PASSES = 2
#: Passes after which what still changes is widened; one more shows what comes of that.
MAX_PASSES = 5
#: Containers in containers are compared this far down.
_DEPTH = 3


class Convergence:
    """Watches the head of one loop; `is_reached` is asked when a pass is over and control comes back.

    A name has settled when it holds nothing whose look it did not have at the head of an earlier pass.
    """

    def __init__(self, it: Interpreter, body: ir.Block) -> None:
        self.it = it
        self.names = _changed(it, body)
        self.passes = 0
        self.before: dict[str, Value] = {}
        self.seen: dict[str, frozenset[Hashable]] = {}

    def is_reached(self) -> bool:
        """Whether another pass would show nothing new. Widens what has not settled after `MAX_PASSES`."""
        self.passes += 1
        env = self.it.frame.state.env
        held = {name: env[name] for name in self.names if name in env}
        looks = {name: frozenset(_look(self.it, atom, 0) for atom in atoms_of(value)) for name, value in held.items()}
        new = {name: look - self.seen.get(name, frozenset()) for name, look in looks.items()}
        if self.passes >= PASSES and (not any(new.values()) or self.passes > MAX_PASSES):
            return True
        if self.passes == MAX_PASSES:
            for name in filter(new.get, held):
                env[name] = self._widened(name, self.before.get(name), held[name])
        self.before = held
        self.seen = {name: self.seen.get(name, frozenset()) | look for name, look in new.items()}
        return False

    def _widened(self, name: str, before: Value | None, now: Value) -> Value:
        """A value that covers this pass's and those of all later ones."""
        match now:
            case Array() if isinstance(before, Array) and before.level is now.level:
                return replace(now, shape=None, dtype=now.dtype if now.dtype == before.dtype else None)
            case Static() if isinstance(before, Static) and before.type == now.type:
                return Static(type=now.type, ident=self.it.ident(-1))
            case Object() if isinstance(before, Object) and self._is_alike(before, now):
                return now  # nested containers: the one of this pass stands for those further down
            case _:
                return self.it.unknown(f"`{name}`, which has a different value in every iteration of a loop", -1)

    def _is_alike(self, one: Object, other: Object) -> bool:
        return type(self.it.held(one.oid)) is type(self.it.held(other.oid))


@memoised
def _changed(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names that a block assigns, or assigns attributes and items of; nested functions aside."""
    return frozenset(name for target in walks.assignment_targets(body) for name in _stored(target))


def _stored(target: ir.Expr) -> Iterator[str]:
    while isinstance(target, ir.Attribute | ir.Subscript):
        target = target.base
    yield from walks.target_names(target)


def _looks(it: Interpreter, value: Value, depth: int) -> frozenset[Hashable]:
    """What is known of the atoms of a value inside another; of one that is not known, nothing."""
    return frozenset(_look(it, atom, depth) for atom in atoms_of(value)) - {None}


def _look(it: Interpreter, atom: Atom, depth: int) -> Hashable:  # noqa: PLR0911 - dispatches on the kinds of values
    """What is known of an atom, without what tells it apart from others of its kind; None for one that is not known."""
    match atom:
        case Static():
            return ("static", atom.type, repr(atom.value) if atom.known else None)
        case Array():
            return ("array", atom.level, atom.dtype, atom.shape, atom.weak)
        case Key():
            return ("key", atom.level, atom.shape)
        case Made():
            return ("made", atom.cls, atom.level)
        case Unknown():
            return None
        case Tuple():
            return ("tuple", *(_looks(it, part, depth) for part in atom.elements))
        case Iterable():
            return ("iterable", atom.kind, _looks(it, atom.element, depth))
        case Object():
            return ("object", _contents(it, it.held(atom.oid), depth + 1))
        case FunctionValue():
            return ("function", id(atom.function))
        case ClassValue():
            return ("class", id(atom.cls))
        case _:
            return atom.__class__.__name__


def _contents(it: Interpreter, cell: Cell | None, depth: int) -> Hashable:
    """What is known of a container: lists by their elements in general, since they grow."""
    if depth > _DEPTH:
        return None
    match cell:
        case ListCell() | SetCell():
            return _looks(it, cell.element, depth)
        case DictCell():
            return frozenset((str(key), _looks(it, item, depth)) for key, item in cell.items.items())
        case InstanceCell():
            attributes = sorted(cell.attributes.items(), key=lambda item: item[0])
            return (id(cell.cls), *((name, _looks(it, value, depth)) for name, value in attributes))
        case _:
            return None
