"""Changes that are no effect of traced code: what a context manager takes back, counters of names, numbered lists."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import FunctionValue, Value, atoms_of
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import entry_frame, root_name
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

_OTHER_HALF = {"__enter__": "__exit__", "__exit__": "__enter__", "__aenter__": "__aexit__", "__aexit__": "__aenter__"}


def is_undone(it: Interpreter, name: str) -> bool:
    """Whether the code around changes a name, or an attribute `.name`, for the time of a `with` block only.

    A method that `__enter__` and `__exit__` both call does so, too. An attribute that a caller in the same trace keeps
    and puts back holds what it is given for the time of that caller.
    """
    attribute = name if name.startswith(".") else None
    for caller in it.frame.callers():
        function = caller.function
        if function is None or caller.trace is not it.frame.trace:
            return False
        put_back = _put_back(it, function)
        if name in put_back or attribute in put_back or _is_half(it, caller, name) or _is_restored(it, function, name):
            return True
        name = function.name if caller.cls is None else f".{function.name}"
    return False


def _is_half(it: Interpreter, frame: Frame, name: str) -> bool:
    """Whether a frame is that of one half of a context manager, and the other half changes the same."""
    function = frame.function
    if function is None or function.name not in _OTHER_HALF or frame.cls is None:
        return False
    other = frame.cls.namespace.get(_OTHER_HALF[function.name])
    return isinstance(other, FunctionValue) and name in _changed_in(it, other.function.body)


def _is_restored(it: Interpreter, function: ir.Function, name: str) -> bool:
    """Whether a generator changes the same in the end, whatever happens."""
    if not function.is_generator:
        return False
    tries = (node for node in walks.statements(function.body) if isinstance(node, ir.Try))
    return any(name in _changed_in(it, node.final) for node in tries if node.final)


@memoised
def _put_back(it: Interpreter, function: ir.Function) -> frozenset[str]:
    """What a function keeps as it was before, and assigns again in the end: `old = x.y; x.y = z; x.y = old`.

    A container that it puts an entry into, and takes one out of again, is a stack.
    """
    assigned = _assignments(function)
    kept = {(t.id, walks.spelling(node.value)) for node in assigned for t in node.targets if isinstance(t, ir.Name)}
    again = (
        walks.spelling(target)
        for node in assigned
        if isinstance(node.value, ir.Name)
        for target in node.targets
        if (node.value.id, walks.spelling(target)) in kept
    )
    return frozenset(again) | _stacks(function) | _given_back(function)


def _given_back(function: ir.Function) -> frozenset[str]:
    """What a function sets, and then to what it kept, whatever happens: `try: T[k] = new`, `finally: T[k] = old`."""
    tries = [node for node in walks.statements(function.body) if isinstance(node, ir.Try) and node.final]
    last = [node for each in tries for node in walks.statements(each.final) if isinstance(node, ir.Assign)]
    ends = set(map(id, last))
    before = [node for node in _assignments(function) if id(node) not in ends]
    local = {name for node in before for target in node.targets for name in walks.target_names(target)}
    kept = {root_name(t) for n in last if isinstance(n.value, ir.Name) and n.value.id in local for t in n.targets}
    changed = {root_name(target) for node in before for target in node.targets}
    return frozenset(name for name in kept & changed if name and name not in local)


_PUSHING, _TAKING = frozenset({"append", "add"}), frozenset({"pop", "remove", "discard"})


def _stacks(function: ir.Function) -> frozenset[str]:
    """The containers of which a function takes as many entries as it puts into them."""
    called = [
        (walks.spelling(node.func.base), node.func.attr)
        for node in walks.nodes(function.body)
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute)
    ]
    pushed = Counter(name for name, method in called if method in _PUSHING)
    taken = Counter(name for name, method in called if method in _TAKING)
    return frozenset(name for name, count in pushed.items() if name and taken[name] == count)


def _assignments(function: ir.Function) -> list[ir.Assign]:
    return [node for node in walks.statements(function.body) if isinstance(node, ir.Assign)]


def is_replaced(it: Interpreter, receiver: Value, name: str) -> bool:
    """Whether who starts the trace gives an attribute another value as soon as the trace has ended.

    The state of an object then goes into the trace and comes out of it: `x.s = scan(body, x.s, xs)[0]`.
    """
    trace = it.frame.trace
    entry = None if trace is None else entry_frame(it.frame, trace)
    caller = None if entry is None else entry.caller
    if entry is None or caller is None:
        return False
    for targets, others in _after(caller.body, entry.call_at):
        if any(_is_attribute(caller, target, receiver, name) for target in targets) and not _mentions(others, name):
            return True
        if _mentions((*targets, *others), name):
            return False
    return False


def _after(body: ir.Block, at: int) -> Iterator[tuple[tuple[ir.Expr, ...], tuple[Any, ...]]]:
    """What the statement with a call assigns, and all that surely follow, each with what else it consists of."""
    for number, statement in enumerate(body):
        held = list(walks.ordinals(statement))
        if not held or not min(held) <= at <= max(held):
            continue
        inner = list(blocks(statement))
        if not inner:
            yield _assigned(statement), ()  # it has read its parts before
        for block in inner:
            yield from _after(block, at)
        if not isinstance(statement, ir.For | ir.While):  # the next pass comes first
            yield from ((_assigned(each), _read(each)) for each in body[number + 1 :])
        return


def _read(statement: ir.Stmt) -> tuple[Any, ...]:
    """What a statement reads before it assigns."""
    return (statement.value,) if isinstance(statement, ir.Assign) else (statement,)


def _assigned(statement: ir.Stmt) -> tuple[ir.Expr, ...]:
    """The parts of what an assignment assigns."""
    targets = statement.targets if isinstance(statement, ir.Assign) else ()
    return tuple(part for target in targets for part in _elements(target))


def _is_attribute(frame: Frame, node: ir.Expr, receiver: Value, name: str) -> bool:
    """Whether code of a frame means an attribute of this object."""
    match node:
        case ir.Attribute(base=ir.Name(id=base), attr=attr) if attr == name:
            held = next((s.state.env[base] for s in frame.scopes() if base in s.state.env), None)
            return held is not None and not set(atoms_of(held)).isdisjoint(atoms_of(receiver))
        case _:
            return False


def _mentions(nodes: tuple[Any, ...], name: str) -> bool:
    return any(isinstance(part, ir.Attribute) and part.attr == name for part in walks.nodes(nodes))


def is_handed_back(it: Interpreter) -> bool:
    """Whether traced code runs in a function that takes the state out of an object, and gives it back whatever happens.

    Attributes then hold traced values for the time of the trace only: which ones is known to that object alone.
    """
    trace = it.frame.trace
    frames = () if trace is None else it.frame.callers()
    within = itertools.takewhile(lambda frame: frame.trace is trace, frames)
    return any(frame.function is not None and _hands_back(it, frame.function) for frame in within)


@memoised
def _hands_back(it: Interpreter, function: ir.Function) -> bool:
    """`old = x.state()` and, in a `finally`, `x.assign(old)`."""
    tries = [node for node in walks.statements(function.body) if isinstance(node, ir.Try) and node.final]
    if not tries:
        return False
    taken = {
        (target.id, _receiver(node.value))
        for node in _assignments(function)
        for target in node.targets
        if isinstance(target, ir.Name) and _receiver(node.value)
    }
    given = {
        (argument.id, _receiver(node.value))
        for each in tries
        for node in walks.statements(each.final)
        if isinstance(node, ir.ExpressionStatement) and isinstance(node.value, ir.Call)
        for argument in node.value.args
        if isinstance(argument, ir.Name)
    }
    return not taken.isdisjoint(given)


def _receiver(call: ir.Expr) -> str:
    """The object that a method is called on, as written; empty where the expression is no such call."""
    is_method = isinstance(call, ir.Call) and isinstance(call.func, ir.Attribute)
    return walks.dotted(call.func.base) if is_method else ""  # type: ignore[union-attr]


def is_changed_in(it: Interpreter, frame: Frame, name: str) -> bool:
    """Whether the function at hand changes what it reads under a name from outside."""
    return frame.function is not None and name in _changed_in(it, frame.function.body)


def is_given_out(frame: Frame, name: str) -> bool:
    """Whether a function returns what is made of a counter: a number for a name or an identity, as often as asked."""
    function = frame.function
    returns = () if function is None else (n for n in walks.nodes(function.body) if isinstance(n, ir.Return))
    return any(walks.spelling(part) == name for node in returns for part in walks.nodes(node.value))


def is_numbered(it: Interpreter, name: str) -> bool:
    """Whether a function keeps the number of entries of a list: it knows the one that it adds by its place."""
    function = it.frame.function
    return function is not None and name in _numbered(it, function)


@memoised
def _numbered(it: Interpreter, function: ir.Function) -> frozenset[str | None]:
    return frozenset(_measured(node.value) for node in _assignments(function))


def _measured(value: ir.Expr) -> str | None:
    """The name in `len(name)`, as it is or converted."""
    match value:
        case ir.Call(func=ir.Name(id="len"), args=(container,)):
            return root_name(container)
        case ir.Call(args=(inner,), keywords=()):
            return _measured(inner)
        case _:
            return None


@memoised
def _changed_in(it: Interpreter, body: ir.Block) -> frozenset[str | None]:
    """The names, and attributes as `.name`, that code may change, themselves or by what hangs on them."""
    changed = (part for node in walks.nodes(body) for target in _changed(node) for part in _elements(target))
    return frozenset(name for part in changed for name in (walks.spelling(part), root_name(part)))


def _changed(node: Any) -> tuple[ir.Expr, ...]:
    """What a statement may change: what it assigns or deletes, what it calls, and the receiver of that."""
    match node:
        case ir.Assign() | ir.Delete():
            return node.targets
        case ir.AugmentedAssign():
            return (node.target,)
        case ir.Call(func=ir.Attribute(base=base)):
            return (node.func, base)
        case ir.Call():
            return (node.func,)
        case _:
            return ()


def _elements(target: ir.Expr) -> tuple[ir.Expr, ...]:
    return target.elements if isinstance(target, ir.SequenceDisplay) else (target,)
