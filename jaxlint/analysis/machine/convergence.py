"""When a loop is done: its head looks as it did a pass before, or what still changes is widened.

A pass starts from the state in which the one before ended. Identities are new in each pass, so states are compared by
what is known of their values: two passes from heads that look the same tell the rules the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import (
    Array,
    Cell,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    ListCell,
    Made,
    Object,
    SetCell,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jaxlint.analysis.domain.values import Iterable as IterableValue
from jaxlint.analysis.domain.values import Key as KeyValue
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

#: What is known of the names that a loop may change, up to identity.
Look = dict[str, Hashable]


class Convergence:
    """Watches the head of one loop; `is_reached` is asked when a pass is over and control comes back."""

    def __init__(self, it: Interpreter, body: ir.Block) -> None:
        self.it = it
        self.names = _changed(it, body)
        self.passes = 0
        self.before: dict[str, Value] = {}
        self.look: Look = {}

    def is_reached(self) -> bool:
        """Whether another pass would show nothing new. Widens what has not settled after `MAX_PASSES`."""
        self.passes += 1
        env = self.it.frame.state.env
        look = {name: _look(self.it, env[name]) for name in self.names if name in env}
        settled = look == self.look
        if self.passes >= PASSES and (settled or self.passes > MAX_PASSES):
            return True
        if self.passes == MAX_PASSES:
            for name, now in look.items():
                if now != self.look.get(name):
                    env[name] = self._widened(name, self.before.get(name), env[name])
        self.before = {name: env[name] for name in look}
        self.look = look
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
                return self.it.unknown(f"`{name}`, which is another value in every pass of a loop", -1)

    def _is_alike(self, one: Object, other: Object) -> bool:
        return type(self.it.held(one.oid)) is type(self.it.held(other.oid))


@memoised
def _changed(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The names that a block assigns, or assigns attributes and items of; nested functions aside."""
    return frozenset(_targets(body))


def _targets(node: Any) -> Iterator[str]:
    kind = node.__class__
    if kind is ir.Function or kind is ir.Class:
        return
    if kind is ir.Assign:
        for target in node.targets:
            yield from _stored(target)
    elif kind in (ir.AugmentedAssign, ir.AnnotatedAssign, ir.For, ir.NamedExpression):
        yield from _stored(node.target)
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from _targets(child)


def _stored(target: ir.Expr) -> Iterator[str]:
    while isinstance(target, ir.Attribute | ir.Subscript):
        target = target.base
    yield from walks.target_names(target)


def _look(it: Interpreter, value: Value, depth: int = 0) -> Hashable:  # noqa: PLR0911 - dispatches on the kinds of values
    """What is known of a value, without what tells it apart from others of its kind."""
    match value:
        case Static():
            return ("static", value.type, repr(value.value) if value.known else None)
        case Array():
            return ("array", value.level, value.dtype, value.shape, value.weak)
        case KeyValue():
            return ("key", value.level, value.shape)
        case Made():
            return ("made", value.cls, value.level)
        case Unknown():
            return None
        case Tuple():
            return ("tuple", *(_look(it, part, depth) for part in value.elements))
        case Union():
            return frozenset(_look(it, atom, depth) for atom in value.atoms)
        case IterableValue():
            return ("iterable", value.kind, _look(it, value.element, depth))
        case Object():
            return ("object", _contents(it, it.held(value.oid), depth + 1))
        case FunctionValue():
            return ("function", id(value.function))
        case ClassValue():
            return ("class", id(value.cls))
        case _:
            return value.__class__.__name__


def _contents(it: Interpreter, cell: Cell | None, depth: int) -> Hashable:
    """What is known of a container: lists by their elements in general, since they grow."""
    if depth > _DEPTH:
        return None
    match cell:
        case ListCell() | SetCell():
            return _look(it, cell.element, depth)
        case DictCell():
            return frozenset((str(key), _look(it, item, depth)) for key, item in cell.items.items())
        case InstanceCell():
            return (id(cell.cls), *_looks(it, cell.attributes.items(), depth))
        case _:
            return None


def _looks(it: Interpreter, items: Iterable[tuple[str, Value]], depth: int) -> Iterator[Hashable]:
    return ((name, _look(it, value, depth)) for name, value in sorted(items, key=lambda item: item[0]))
